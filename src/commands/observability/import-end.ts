import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { accountFlagsOf } from '../../cli/command/account-flags.ts'
import { shellWord } from '../../shell-word.ts'
import { groupThousands } from '../../views/format-fields.ts'
import type { ImportAdvice } from './import-problem.ts'
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
        `Rejects: ${rejects} (${groupThousands(counts.failed)} failed ${counts.failed === 1 ? 'row' : 'rows'}, each with the reason)`,
      ),
    )
}

/** What the person can do about rows that became no record. */
export const adviceAfter = (
  invocation: Invocation,
  settings: ImportSettings,
  end: SentImport,
): ImportAdvice => ({
  hint: hintAfter(settings, end),
  next: nextAfter(invocation, settings, end),
})

function hintAfter({ results, rejects }: ImportSettings, { counts }: SentImport): string | undefined {
  if (rejects !== undefined && counts.failed > 0)
    return `Correct the rows in ${rejects}, then import that file.`
  return results === undefined
    ? 'Add --results FILE for the outcome of every row, and --rejects FILE for the failed ones.'
    : undefined
}

/** The command to type next: the same one to go on, or one that imports the mended rejects. */
function nextAfter(
  invocation: Invocation,
  { path, rejects }: ImportSettings,
  { counts, ended }: SentImport,
): readonly string[] {
  if (ended !== undefined) {
    // With the same limit it would stop at once.
    const flags = [...READING_FLAGS, ...SENDING_FLAGS].filter(
      (name) => ended !== 'too-many-failures' || name !== 'max-failures',
    )
    return path === '-' ? [] : [commandLine(invocation, path, flags)]
  }
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
    return texts.flatMap((text) => (text === undefined ? [] : [`--${name} ${shellWord(text)}`]))
  })
  return [`pay${accountFlagsOf(invocation)} observability import ${shellWord(file)}`, ...words].join(' ')
}
