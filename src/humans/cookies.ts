// humans/cookies.ts · cookies as the browser should keep them.
import type Koa from 'koa';

export interface CookieJar {
  get(ctx: Koa.Context, name: string): string | undefined;
  set(ctx: Koa.Context, name: string, value: string, seconds: number): void;
  clear(ctx: Koa.Context, name: string): void;
}

/**
 * Over https with the prefix that lets no other host, no subdomain and no plain connection set them. SameSite is Lax: a provider's redirect back to
 * us has to bring them along. Values are without the characters that would need quoting.
 */
export function cookieJar(baseUrl: string): CookieJar {
  const secure = baseUrl.startsWith('https:');
  const full = (name: string) => (secure ? `__Host-hill_${name}` : `hill_${name}`);
  // Koa's own would refuse Secure behind a proxy that speaks https for us.
  const send = (ctx: Koa.Context, name: string, value: string, seconds: number) =>
    ctx.append('Set-Cookie', `${full(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`);
  return {
    get: (ctx, name) => ctx.cookies.get(full(name)) || undefined,
    set: send,
    clear: (ctx, name) => send(ctx, name, '', 0),
  };
}
