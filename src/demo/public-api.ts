// Reads public data over HTTP, as any reader does. Rules 10.2.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Day, Hill, Leaderboard } from '../records/index.ts';

export interface PublicApi {
  read<T>(path: string): Promise<T>;
  hill(): Promise<Hill>;
  day(n: number): Promise<Day>;
  leaderboard(): Promise<Leaderboard>;
}

export function publicApi(baseUrl: string): PublicApi {
  return {
    read: (path) => read(baseUrl + path),
    hill: () => read(`${baseUrl}/api/hill`),
    day: (n) => read(`${baseUrl}/api/day/${n}`),
    leaderboard: () => read(`${baseUrl}/api/leaderboard/hill`),
  };
}

async function read<T>(url: string): Promise<T> {
  for (let patience = 5; ; patience--) {
    const answer = await fetch(url);
    if (answer.ok) return (await answer.json()) as T;
    const body = await answer.text();
    if (![429, 503].includes(answer.status) || patience === 0)
      throw new Error(`GET ${url} answered ${answer.status}: ${body.slice(0, 300)}`);
    await sleep(1_000 * Number(answer.headers.get('retry-after') ?? 1));
  }
}
