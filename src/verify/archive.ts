// What a hill served, as files by their paths: the form that is kept and checked again without a network. Rules 20.48.
import { z } from 'zod';
import { text } from '../log/bytes.ts';
import { StartError } from '../process/start-error.ts';
import { Missing, reading, type Served } from './reading.ts';

/** archive.json, which is written last. */
export const manifest = z.object({
  format: z.literal('hill archive 1'),
  url: z.url(),
  savedAt: z.iso.datetime(),
  /** None, where the log alone was looked at. */
  nights: z.union([z.enum(['all', 'none']), z.array(z.int().min(1)).readonly()]),
});
export type Manifest = z.infer<typeof manifest>;

export const manifestFile = 'archive.json';

/** The file of an address. A hill names addresses itself: none leads out of the folder. */
export function fileOf(address: string): string {
  const [, segments = '', query = ''] = /^((?:\/[A-Za-z0-9][\w.-]*)+)(?:\?([\w=&.~%-]+))?$/.exec(address) ?? [];
  if (segments === '') throw new StartError(`${address} is no address that an archive has.`);
  const ending = segments.startsWith('/api/') && !/\.[^./]*$/.test(segments) ? '.json' : '';
  return `${segments.slice(1)}${query && `@${query}`}${ending}`;
}

/** Throws a StartError if these files are no archive. They may be in a folder. */
export function openedArchive(files: ReadonlyMap<string, Uint8Array>): Manifest & { readonly hill: Served } {
  const named = [...files.keys()].find((name) => name === manifestFile || name.endsWith(`/${manifestFile}`)) ?? '';
  const folder = named.slice(0, -manifestFile.length);
  let about: Manifest;
  try {
    about = manifest.parse(JSON.parse(text(files.get(named) ?? new Uint8Array())));
  } catch (error) {
    throw new StartError(`This is no archive, or one that was not finished: it has no ${manifestFile}.`, {
      cause: error,
    });
  }
  const ask = async (address: string) => {
    const bytes = files.get(folder + fileOf(address));
    if (!bytes) throw new Missing(`${fileOf(address)} is not there.`);
    return once(bytes);
  };
  return { ...about, hill: reading(about.url, ask) };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
