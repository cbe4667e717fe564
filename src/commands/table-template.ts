import { fitColumns } from '../rows/fit/fit-columns.ts'
import type { FitJob, FittedColumns } from '../rows/fit/fit-columns.ts'
import { plainName } from '../rows/fit/known-columns.ts'
import { folded } from '../rows/map/mapping.ts'
import { PLACEHOLDER } from '../rows/map/placeholder.ts'
import { fitTable } from '../rows/read/fit-table.ts'
import type { FittedTable } from '../rows/read/fit-table.ts'
import { accountFlagsOf } from '../cli/command/flag-words.ts'
import type { CommandInput } from '../cli/command/input.ts'
import type { Invocation } from '../cli/command/invocation.ts'
import { resultOf } from '../cli/command/result.ts'
import type { Result } from '../cli/command/result.ts'
import { UsageError } from '../errors.ts'
import { safeText } from '../output/safe-text.ts'
import { fileWord, shellWord } from '../files/shell.ts'
import { openInput } from './open-table.ts'
import { readFormatFlags } from './table-settings.ts'

/** Columns that were fitted, and the ready-made mapping that is used in place of them. */
export interface FoundColumns extends FittedColumns {
  /** Its name, and the column of its order. */
  readonly ready?: { readonly mapping: string; readonly order?: string }
}

/** The command for a file. */
export interface FittedCommand {
  readonly file: string
  /** The words before the flags, such as `batch plan refund FILE`. */
  readonly words: readonly string[]
  readonly job: FitJob
  /** Further facts of the result. */
  readonly facts?: Readonly<Record<string, string>>
  /** Checks or replaces what was found. */
  readonly refine?: (table: FittedTable, found: FittedColumns) => FoundColumns
}

/**
 * Prints the command that reads a file as its columns say, on one line. What the file leaves open is a {@link PLACEHOLDER}, which the
 * command refuses; stderr has the reasons. As YAML, the result is a mapping file.
 */
export async function suggestCommand(
  invocation: Invocation,
  input: CommandInput,
  { file, words, job, facts, refine = (_, found) => found }: FittedCommand,
): Promise<Result> {
  const known = new Set(Object.values(job.known).flat(2))
  const raw = await openInput(invocation, file)
  const start = [
    `pay${accountFlagsOf(invocation)}`,
    ...words.map((word) => (word === file ? fileWord(safeText(word)) : quoted(word))),
  ].join(' ')
  if (raw.head.toString('latin1').trimStart().startsWith('{'))
    throw new UsageError(`${file} is NDJSON, which needs no template: its fields are read by their names`, {
      code: 'unusable_file',
      outcome: 'none',
      hint: `Run: ${start}${/\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(file) ? '' : ' --format ndjson'}`,
    })
  const table = await fitTable(
    raw,
    job.schema.hints.header,
    readFormatFlags(input),
    (name) =>
      known.has(plainName(name)) ||
      Object.keys(job.schema.kinds).some((path) => folded(path) === folded(name)),
  )
  const found = refine(table, fitColumns(job, table))
  const notes = [...table.doubts, ...found.notes].map((line) => invocation.cleanText(line))
  // On stderr, so that the command on stdout can be piped to a shell.
  for (const line of notes) await invocation.note(line)
  const { needsMapping, unused, ...columns } = found
  const fitted = { ...columns, ...formatOf(table) }
  const isPlain =
    unused.length === 0 && Object.entries(found.map).every(([field, column]) => field === column)
  const command = [start, ...flagsOf({ ...fitted, map: isPlain ? {} : found.map }, needsMapping)].join(' ')
  return resultOf(
    {
      file,
      ...(facts === undefined ? {} : { ...facts, command }),
      ...fitted,
      ...(isPlain ? { map: {} } : {}),
      notes,
    },
    { ids: () => [], csvColumns: ['file'], render: () => command },
  )
}

type Fitted = Omit<FoundColumns, 'needsMapping' | 'unused'> & {
  readonly delimiter?: string
  readonly encoding?: string
  readonly skipLines?: string
}

const FLAGS = [
  'kinds',
  'amounts',
  'decimalComma',
  'dateFormat',
  'timezone',
  'timezoneColumn',
  'assumeUtc',
  'delimiter',
  'encoding',
  'skipLines',
] as const

function flagsOf(
  { ready, map, const: constants, ...fitted }: Fitted,
  needsMapping: boolean,
): readonly string[] {
  const sources =
    ready === undefined
      ? [
          ...pairsOf('--map', map),
          ...(needsMapping ? [`--mapping ${PLACEHOLDER}`] : []),
          ...pairsOf('--const', constants),
        ]
      : [
          `--mapping ${ready.mapping}`,
          ...pairsOf('--map', ready.order === undefined ? {} : { 'order.id': ready.order }),
        ]
  return [...sources, ...settingFlags(fitted)]
}

const settingFlags = (fitted: Pick<Fitted, (typeof FLAGS)[number]>): readonly string[] =>
  FLAGS.flatMap((key) => {
    const value = fitted[key]
    const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    return value === undefined
      ? []
      : value === true
        ? [flag]
        : [`${flag} ${value === '\t' ? 'tab' : value === PLACEHOLDER ? value : quoted(value)}`]
  })

/** The flags that the header needs. */
export const formatFlagsOf = (table: FittedTable): readonly string[] => settingFlags(formatOf(table))

const formatOf = ({ delimiter, encoding, skipLines }: FittedTable) => ({
  ...(delimiter === undefined ? {} : { delimiter }),
  ...(encoding === undefined ? {} : { encoding: encoding.toLowerCase() }),
  ...(skipLines === 0 ? {} : { skipLines: String(skipLines) }),
})

const quoted = (text: string): string => shellWord(safeText(text))

const pairsOf = (flag: string, pairs: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(pairs).map(([field, value]) => `${flag} ${quoted(`${field}=${value}`)}`)
