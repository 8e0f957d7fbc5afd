// The forms in which resources are also served, beside their records. Rules 10.6, 10.7; decisions 255.

/** Of a night's lists, complete. */
export const formats = ['json', 'ndjson', 'csv'] as const;
export type Format = (typeof formats)[number];

/** Of a list that has an address of its own for each: that of the record, and this behind it. */
export const lineForms = ['ndjson', 'csv'] as const;
export type LineForm = (typeof lineForms)[number];
