import type { OutputFile } from '../keep/output-files.ts'
import { csvLine } from '../read/csv-line.ts'
import type { ImportSettings } from './settings.ts'
import type { ImportSource } from './source.ts'

export const RESULTS_HEADER = csvLine(['row', 'paymentId', 'outcome', 'errorId', 'message'])

/** The files that an import writes. */
export const outputFilesOf = (
  { results, rejects }: Pick<ImportSettings, 'results' | 'rejects'>,
  source: ImportSource,
): readonly OutputFile[] => [
  ...(results === undefined ? [] : [{ flag: '--results', path: results, header: RESULTS_HEADER } as const]),
  ...(rejects === undefined ? [] : [{ flag: '--rejects', path: rejects, ...source.rejects } as const]),
]
