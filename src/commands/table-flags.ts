import type { FlagSpec } from '../cli/command/flags.ts'

/** The flags that say how to read the rows of a file; `readTableSettings` reads them. */
export const TABLE_FLAGS = {
  format: {
    kind: 'text',
    value: 'FORMAT',
    choices: ['csv', 'ndjson'],
    help: 'csv or ndjson; default: from the file name',
  },
  map: { kind: 'texts', value: 'FIELD=COLUMN', help: 'Read a field from this column; repeatable' },
  const: {
    kind: 'texts',
    value: 'FIELD=VALUE',
    help: 'Set a field to this value in every row; repeatable',
  },
  mapping: {
    kind: 'text',
    value: 'FILE',
    from: 'file',
    help: 'Read these flags and more from a YAML file',
  },
  amounts: {
    kind: 'text',
    value: 'UNITS',
    choices: ['minor', 'major'],
    help: 'minor (default: 700) or major (7.00)',
  },
  'iso-minor': {
    kind: 'switch',
    help: "Minor units are ISO 4217's, though some providers count CLP, ISK and others differently",
  },
  'decimal-comma': { kind: 'switch', help: 'Amounts have a decimal comma: 1.234,50' },
  delimiter: {
    kind: 'text',
    value: 'CHAR',
    suggestions: ['tab', ',', ';', '|'],
    help: 'The character between cells, or tab; default: detected in the header',
  },
  'skip-lines': { kind: 'text', value: 'N', help: 'Lines before the header, such as a title; default: 0' },
  encoding: {
    kind: 'text',
    value: 'LABEL',
    suggestions: ['utf-8', 'windows-1252', 'iso-8859-1', 'iso-8859-15', 'utf-16le', 'utf-16be'],
    help: 'Encoding of the file, such as windows-1252; default: UTF-8',
  },
  'date-format': {
    kind: 'text',
    value: 'PATTERN',
    help: "How times are written: Unicode tokens such as 'dd.MM.yyyy HH:mm', unix or unix-ms",
  },
  timezone: { kind: 'text', value: 'ZONE', help: 'Zone of times without one, such as Europe/Berlin' },
  'timezone-column': { kind: 'text', value: 'COLUMN', help: "Column with each row's zone: names or offsets" },
  'assume-utc': { kind: 'switch', help: 'Read times without a zone as UTC' },
} as const satisfies Readonly<Record<string, FlagSpec>>

/** The names of these flags, to repeat them in a suggested command. */
export const TABLE_FLAG_NAMES: readonly string[] = Object.keys(TABLE_FLAGS)

/** Those that rejects share with the file that they come from: their header is the first line. */
export const REJECTS_FLAG_NAMES: readonly string[] = TABLE_FLAG_NAMES.filter((name) => name !== 'skip-lines')

/** The words for rejects of a file with lines before its header, which a mapping file may name. */
export const skippingNone = (skipLines: number): readonly string[] =>
  skipLines === 0 ? [] : ['--skip-lines 0']
