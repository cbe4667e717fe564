import { safeText } from '../../output/safe-text.ts'
import { shellWord } from '../../shell-word.ts'
import type { View } from '../../output/view.ts'

/** How the columns of a file could become a record; `--mapping` takes it as it is. */
export interface ImportMapping {
  readonly file: string
  /** Column by field. */
  readonly map: Readonly<Record<string, string>>
  /** What every row has, by field. */
  readonly const: Readonly<Record<string, string>>
  readonly amounts?: 'major'
  readonly assumeUtc?: true
  /** Fields that every record needs and no column surely is: a placeholder stands for them above. */
  readonly missing: readonly string[]
  readonly notes: readonly string[]
}

/** The command that would try it. */
export const importMappingView: View<ImportMapping> = {
  ids: () => [],
  csvColumns: ['file'],
  render: ({ file, map, const: constants, amounts, assumeUtc }) => {
    const words = [
      ...Object.entries(map).map(([field, column]) => `--map ${quoted(`${field}=${column}`)}`),
      ...Object.entries(constants).map(([field, value]) => `--const ${quoted(`${field}=${value}`)}`),
      ...(amounts === undefined ? [] : [`--amounts ${amounts}`]),
      ...(assumeUtc === undefined ? [] : ['--assume-utc']),
    ]
    return [`pay observability import ${quoted(file)} --dry-run`, ...words].join(' \\\n  ')
  },
}

const quoted = (text: string): string => shellWord(safeText(text))
