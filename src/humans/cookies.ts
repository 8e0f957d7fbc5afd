// Cookies with the attributes that a session needs.
import type Koa from 'koa';

export interface CookieJar {
  get(ctx: Koa.Context, name: string): string | undefined;
  set(ctx: Koa.Context, name: string, value: string, seconds: number): void;
  clear(ctx: Koa.Context, name: string): void;
}

/**
 * Over https they have the prefix __Host-, so that no other host, subdomain or plain connection can set them. SameSite
 * is Lax, because a provider's redirect back to us must carry them. Values contain no character that would need
 * quoting.
 */
export function cookieJar(baseUrl: string): CookieJar {
  const secure = baseUrl.startsWith('https:');
  const full = (name: string) => (secure ? `__Host-hill_${name}` : `hill_${name}`);
  // Koa's own ctx.cookies refuses Secure behind a proxy that terminates https.
  const send = (ctx: Koa.Context, name: string, value: string, seconds: number) =>
    ctx.append(
      'Set-Cookie',
      `${full(name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`,
    );
  return {
    get: (ctx, name) => ctx.cookies.get(full(name)) || undefined,
    set: send,
    clear: (ctx, name) => send(ctx, name, '', 0),
  };
}
