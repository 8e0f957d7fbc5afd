// What there is to say of an address of the public API: who answers it, with which arguments, in which shape. Rules
// 10.2.
import type { z } from 'zod';
import type { Columns } from '../../archives/csv.ts';
import type { Args, Clock } from '../../db/call.ts';
import { rule } from '../../db/rules.ts';
import type { Follows } from '../../http/freshness.ts';
import type { Links, Next } from '../../records/links.ts';

/** The tags of /openapi.json. */
export const tags = {
  hill: 'The hill today and its rules.',
  nights: 'Nights that are over.',
  boards: `Rankings of ${rule('window_nights')} nights.`,
  tournaments: 'Windows on the same hill, with boards of their own.',
  identities: 'What identities say and play, and what is counted of them.',
} as const;

export interface Resource<A extends object = object, R extends object = object> {
  /** The router's path; its arguments are written :n. */
  readonly path: string;
  readonly summary: string;
  /** For /openapi.json: what a reader must know beyond the summary. */
  readonly description: string;
  readonly tag: keyof typeof tags;
  /**
   * An address in the night that the tests play. Its answer is the example in /openapi.json (`npm test -- examples -u`
   * records it, each list shortened).
   */
  readonly example: string;
  /** Whether its lists are also served complete, in other formats. */
  readonly bulk?: boolean;
  /** The columns of its entries, which are also served as NDJSON and CSV, at addresses of their own: see lines.ts. */
  readonly lines?: Columns<never>;
  /**
   * Whether it is asked for with a text of anybody's choice: then it is not kept, since nobody may ask for the same.
   */
  readonly unkept?: boolean;
  /** The component of /openapi.json that answers a path that names nothing. */
  readonly unknown?: string;
  /** The arguments of path and query. */
  readonly args: z.ZodType<A>;
  /** The function of api_public, which judges well-formed arguments. */
  readonly reads: `api_public.${string}`;
  /** The same for a record of a `day` that is over. */
  readonly readsPast?: `api_public.${string}`;
  /** The function's arguments, if they have other names. */
  asks(args: A): Args;
  readonly follows: Follows;
  /** A list has no links of its own. */
  readonly record: z.ZodObject | z.ZodArray;
  /** The accounts named in the record: each is counted as read once. */
  shows?(record: R): readonly string[];
  shape?(record: R, links: Links): object;
  /** What is returned, with 503, when the database does not answer; the record otherwise says nothing. */
  readonly without?: R;
  next(links: Links, record: R, clock: Clock, args: A): (Next | false)[];
}

type Defined<A extends object, R extends object> = Omit<Resource<A, R>, 'asks'> & Partial<Pick<Resource<A, R>, 'asks'>>;

export const define = <A extends object, R extends object>(resource: Defined<A, R>): Resource =>
  ({ asks: (args: A) => args as Args, ...resource }) as unknown as Resource;

/** The operation id, also the name of its example. */
export const operationId = ({ reads }: Resource): string => reads.replace('api_public.', '');
