// db/text.ts · what may be text: the one rule, for every door and the way into the database.

/** PostgreSQL has no place for a null character, and half of a pair of surrogates is nothing in UTF-8. */
export const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** Where in a value that came as JSON something stands that is no text; undefined if nowhere. */
export function unfitText(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return isText(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = unfitText(key, `${path}${path && '.'}(a name)`) ?? unfitText(inner, path ? `${path}.${key}` : key);
    if (found !== undefined) return found;
  }
  return undefined;
}
