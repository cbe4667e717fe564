export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'yaml', 'csv', 'id'] as const
export type OutputFormat = (typeof OUTPUT_FORMATS)[number]
