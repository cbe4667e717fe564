import { safeText } from '../../output/safe-text.ts'
import { shellWord } from '../../shell-word.ts'
import type { View } from '../../output/view.ts'

/** A suggested mapping; `--mapping` accepts its YAML. */
export interface ImportMapping {
  readonly file: string
  /** Column name by field. */
  readonly map: Readonly<Record<string, string>>
  /** Constant value by field. */
  readonly const: Readonly<Record<string, string>>
  readonly amounts?: 'major'
  readonly assumeUtc?: true
  readonly delimiter?: string
  readonly encoding?: string
  /** Required fields without a certain column; they have a placeholder in `map` or `const`. */
  readonly missing: readonly string[]
  readonly notes: readonly string[]
}

/** The command that checks the file with this mapping. */
export const importMappingView: View<ImportMapping> = {
  ids: () => [],
  csvColumns: ['file'],
  render: ({ file, map, const: constants, amounts, assumeUtc, delimiter, encoding }) => {
    const words = [
      ...Object.entries(map).map(([field, column]) => `--map ${quoted(`${field}=${column}`)}`),
      ...Object.entries(constants).map(([field, value]) => `--const ${quoted(`${field}=${value}`)}`),
      ...(amounts === undefined ? [] : [`--amounts ${amounts}`]),
      ...(assumeUtc === undefined ? [] : ['--assume-utc']),
      ...(delimiter === undefined ? [] : [`--delimiter ${delimiter === '\t' ? 'tab' : quoted(delimiter)}`]),
      ...(encoding === undefined ? [] : [`--encoding ${encoding}`]),
    ]
    return [`pay observability import ${quoted(file)} --dry-run`, ...words].join(' \\\n  ')
  },
}

const quoted = (text: string): string => shellWord(safeText(text))
