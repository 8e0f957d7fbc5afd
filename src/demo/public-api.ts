// demo/public-api.ts · what everybody can read, read as everybody reads it: over HTTP. Specification 4.1.
import type { Day, Hill, Leaderboard } from '../records.ts';

export interface PublicApi {
  hill(): Promise<Hill>;
  day(n: number): Promise<Day>;
  leaderboard(): Promise<Leaderboard>;
}

export function publicApi(baseUrl: string): PublicApi {
  return {
    hill: () => read(`${baseUrl}/api/hill`),
    day: (n) => read(`${baseUrl}/api/day/${n}`),
    leaderboard: () => read(`${baseUrl}/api/leaderboard/hill`),
  };
}

async function read<T>(url: string): Promise<T> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`GET ${url} answered ${answer.status}: ${(await answer.text()).slice(0, 300)}`);
  return (await answer.json()) as T;
}
