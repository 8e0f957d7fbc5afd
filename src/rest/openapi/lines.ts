// Lists that are sent as lines.
import { lineTypes } from '../lines.ts';
import type { LineForm } from '../resources/forms.ts';
import { example } from './examples.ts';

const described: Readonly<Record<LineForm, string>> = {
  ndjson: 'An entry of the list a line, as the record has it.',
  csv: 'RFC 4180 with a header. A text that a spreadsheet could take for a formula has a quote mark in front.',
};
/** What the operation of a record has behind its name. */
export const idOf = { ndjson: 'Ndjson', csv: 'Csv' } as const;
/** The content of such an answer, with the example of that name unless there is another. */
export const linesContent = (
  form: LineForm,
  name: string,
  baseUrl: string,
  given = example(`${name}.${form}`, baseUrl),
) => ({
  [lineTypes[form]]: { schema: { type: 'string', description: described[form] }, ...given },
});
