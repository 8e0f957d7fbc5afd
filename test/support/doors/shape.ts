// test/support/doors/shape.ts · the shape of a JSON value, told as tables of fields tell it.

export type Shape = string | RegExp | ((value: unknown) => boolean) | { readonly [field: string]: Shape } | readonly [Shape] | PerhapsEmpty;

class PerhapsEmpty {
  readonly entry: Shape;
  constructor(entry: Shape) {
    this.entry = entry;
  }
}

/** A list that may be empty; whether it is, is for another test to say. */
export const perhaps = (entry: Shape): Shape => new PerhapsEmpty(entry);

const kinds: Record<string, (value: unknown) => boolean> = {
  int: (v) => Number.isSafeInteger(v),
  number: (v) => typeof v === 'number' && Number.isFinite(v),
  string: (v) => typeof v === 'string',
  boolean: (v) => typeof v === 'boolean',
  null: (v) => v === null,
  object: (v) => typeof v === 'object' && v !== null && !Array.isArray(v),
  array: (v) => Array.isArray(v),
  timestamp: (v) => typeof v === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(v),
  uuid: (v) => typeof v === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(v),
};

/**
 * Where a value differs from a shape, one line each; an empty list is agreement. A text names a kind ("int", or "int|null"); an object has exactly
 * the fields named; a list of one shape has entries of that shape, and at least one.
 */
export function differences(value: unknown, shape: Shape, at = ''): string[] {
  const here = at || 'the value';
  if (typeof shape === 'string')
    return shape.split('|').some((kind) => kinds[kind]?.(value)) ? [] : [`${here} is no ${shape}: ${JSON.stringify(value)}`];
  if (shape instanceof RegExp) return typeof value === 'string' && shape.test(value) ? [] : [`${here} is not like ${shape}: ${value}`];
  if (typeof shape === 'function') return shape(value) ? [] : [`${here} is not as it should be: ${JSON.stringify(value)}`];
  if (shape instanceof PerhapsEmpty && Array.isArray(value) && value.length === 0) return [];
  if (Array.isArray(shape) || shape instanceof PerhapsEmpty) {
    if (!Array.isArray(value)) return [`${here} is no array`];
    if (value.length === 0) return [`${here} is empty, so nothing is known of its entries`];
    const inner = shape instanceof PerhapsEmpty ? shape.entry : (shape[0] as Shape);
    return value.flatMap((entry, i) => differences(entry, inner, `${at}[${i}]`));
  }
  if (!kinds.object?.(value)) return [`${here} is no object`];
  const fields = value as Record<string, unknown>;
  const wanted = shape as Record<string, Shape>;
  return [
    ...Object.keys(fields)
      .filter((field) => !(field in wanted))
      .map((field) => `${at}.${field} is not in the table`),
    ...Object.entries(wanted).flatMap(([field, inner]) =>
      field in fields ? differences(fields[field], inner, `${at}.${field}`) : [`${at}.${field} is missing`],
    ),
  ];
}
