// Which strings PostgreSQL can store as text: one rule for every door and for db/call.ts.

/** PostgreSQL cannot store a null character, and a lone surrogate cannot be encoded in UTF-8. */
export const isText = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

/** The path of the first string in a JSON value that cannot be stored; undefined if all can. */
export function unfitText(value: unknown, path = ''): string | undefined {
  if (typeof value === 'string') return isText(value) ? undefined : path;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = unfitText(key, `${path}${path && '.'}(a name)`) ?? unfitText(inner, path ? `${path}.${key}` : key);
    if (found !== undefined) return found;
  }
  return undefined;
}
