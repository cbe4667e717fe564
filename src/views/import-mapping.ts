import { safeText } from '../output/safe-text.ts'
import type { View } from '../output/view.ts'

/** How the columns of a file could become a record. */
export interface ImportMapping {
  readonly file: string
  /** Column by field. */
  readonly map: Readonly<Record<string, string>>
  /** Fields that every record needs and no column looks like. */
  readonly missing: readonly string[]
}

/** The command that would try it. */
export const importMappingView: View<ImportMapping> = {
  ids: () => [],
  csvColumns: ['file'],
  render: ({ file, map, missing }) => {
    const words = [
      ...Object.entries(map).map(([field, column]) => `--map ${quoted(`${field}=${column}`)}`),
      ...missing.map((field) => `--const ${quoted(`${field}=…`)}`),
    ]
    return [`pay observability import ${quoted(file)} --dry-run`, ...words].join(' \\\n  ')
  },
}

/** As a shell takes it. */
const quoted = (text: string): string =>
  /^[\w.=/-]+$/.test(text) ? text : `'${safeText(text).replaceAll("'", "'\\''")}'`
