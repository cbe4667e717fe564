import { textFlag } from '../../cli/input.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { selectorOf } from '../../cli/selector.ts'
import { groupedNumber } from '../../views/import-figures.ts'
import type { ImportSettings } from './import-settings.ts'
import type { SentImport } from './send-import.ts'

/** Where to read what became of the rows. */
export async function tellFiles(
  invocation: Invocation,
  { results, rejects, path }: ImportSettings,
  { counts, ended }: SentImport,
): Promise<void> {
  const isWhole = ended === undefined
  if (counts.rows === 0 && isWhole)
    await invocation.note(`No rows: there is nothing to import in ${path === '-' ? 'stdin' : path}.`)
  if (results !== undefined)
    await invocation.note(
      invocation.cleanWords(`Results: ${results} (${isWhole ? 'every row' : 'the rows so far'})`),
    )
  if (rejects !== undefined && counts.failed > 0)
    await invocation.note(
      invocation.cleanWords(
        `Rejects: ${rejects} (${groupedNumber(counts.failed)} failed ${counts.failed === 1 ? 'row' : 'rows'}, each with the reason)`,
      ),
    )
}

/** The command to type next: the same one to go on, or one that imports the mended rejects. */
export function nextAfter(
  invocation: Invocation,
  { path, rejects }: ImportSettings,
  { counts, ended }: SentImport,
): readonly string[] {
  if (ended !== undefined)
    return path === '-' ? [] : [commandLine(invocation, path, [...READING_FLAGS, ...SENDING_FLAGS])]
  if (rejects === undefined || counts.failed === 0) return []
  return [commandLine(invocation, rejects, READING_FLAGS)]
}

/** How the rejects are read like the file that they are from. */
const READING_FLAGS = ['format', 'map', 'const', 'mapping', 'amounts', 'assume-utc', 'on-exists']
const SENDING_FLAGS = [
  'concurrency',
  'rate',
  'max-failures',
  'canary',
  'results',
  'rejects',
  'shard',
  'shards',
]

function commandLine(invocation: Invocation, file: string, names: readonly string[]): string {
  const { flags } = invocation.input
  const words = names.flatMap((name) => {
    const value = flags[name]
    if (value === true) return [`--${name}`]
    const texts = typeof value === 'object' ? value : [textFlag(invocation.input, name)]
    return texts.flatMap((text) => (text === undefined ? [] : [`--${name} ${quoted(text)}`]))
  })
  return [`pay${selectorOf(invocation)} observability import ${quoted(file)}`, ...words].join(' ')
}

/** As a shell takes it. */
const quoted = (text: string): string =>
  /^[\w.=/:%,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
