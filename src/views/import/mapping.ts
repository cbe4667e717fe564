import { safeText } from '../../output/safe-text.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { View } from '../../output/view.ts'

/** A suggested mapping; `--mapping` accepts its YAML. */
export interface ImportMapping {
  readonly file: string
  /** Column name by field. */
  readonly map: Readonly<Record<string, string>>
  /** Constant value by field. */
  readonly const: Readonly<Record<string, string>>
  /** The ready-made mapping that the command uses, and the column of its order. */
  readonly ready?: { readonly mapping: string; readonly order?: string }
  readonly amounts?: 'major'
  readonly decimalComma?: true
  readonly dateFormat?: string
  readonly assumeUtc?: true
  readonly delimiter?: string
  readonly encoding?: string
  /** Required fields without a certain column; they have a placeholder in `map` or `const`. */
  readonly missing: readonly string[]
  readonly notes: readonly string[]
}

/** The command that checks the file with this mapping. */
export const importMappingView = (pay: string): View<ImportMapping> => ({
  ids: () => [],
  csvColumns: ['file'],
  render: ({ file, ready, map, const: constants, amounts, decimalComma, dateFormat, ...more }) => {
    const { assumeUtc, delimiter, encoding } = more
    const words = [
      ...(ready === undefined ? sourcesOf(map, constants) : readySources(ready)),
      ...(ready !== undefined || amounts === undefined ? [] : [`--amounts ${amounts}`]),
      ...(decimalComma === undefined ? [] : ['--decimal-comma']),
      ...(dateFormat === undefined ? [] : [`--date-format ${quoted(dateFormat)}`]),
      ...(ready !== undefined || assumeUtc === undefined ? [] : ['--assume-utc']),
      ...(delimiter === undefined ? [] : [`--delimiter ${delimiter === '\t' ? 'tab' : quoted(delimiter)}`]),
      ...(encoding === undefined ? [] : [`--encoding ${encoding}`]),
    ]
    return [`${pay} observability import ${quoted(file)} --dry-run`, ...words].join(' \\\n  ')
  },
})

const quoted = (text: string): string => shellWord(safeText(text))

const sourcesOf = (map: ImportMapping['map'], constants: ImportMapping['const']): readonly string[] => [
  ...Object.entries(map).map(([field, column]) => `--map ${quoted(`${field}=${column}`)}`),
  ...Object.entries(constants).map(([field, value]) => `--const ${quoted(`${field}=${value}`)}`),
]

const readySources = ({ mapping, order }: NonNullable<ImportMapping['ready']>): readonly string[] => [
  `--mapping ${mapping}`,
  ...(order === undefined ? [] : [`--map ${quoted(`order.id=${order}`)}`]),
]
