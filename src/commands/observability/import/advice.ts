import { accountFlagsOf, flagWords } from '../../../cli/command/flag-words.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import type { ImportAdvice } from '../../../rows/import/run-problem.ts'
import type { ImportSettings } from '../../../rows/import/settings.ts'
import { shellWord } from '../../../text/shell-word.ts'
import { groupThousands, pluralize } from '../../../text/words.ts'
import { leftOutSentence } from '../../../views/import/left-out.ts'
import { TABLE_FLAG_NAMES } from '../../table-flags.ts'
import type { SentImport } from './send.ts'

/** Names the files that contain the outcome of the rows. */
export async function noteFiles(
  invocation: Invocation,
  { results, rejects, path }: ImportSettings,
  { counts, leftOut, ended }: SentImport,
): Promise<void> {
  const isComplete = ended === undefined
  if (leftOut.length > 0) await invocation.note(invocation.cleanText(leftOutSentence(leftOut)))
  if (counts.rows === 0 && isComplete)
    await invocation.note(`No rows: there is nothing to import in ${path === '-' ? 'stdin' : path}.`)
  if (results !== undefined)
    await invocation.note(
      invocation.cleanText(`Results: ${results} (${isComplete ? 'every row' : 'the rows so far'})`),
    )
  if (rejects !== undefined && counts.failed > 0)
    await invocation.note(
      invocation.cleanText(
        `Rejects: ${rejects} (${pluralize(groupThousands(counts.failed), 'failed row')}, each with the reason)`,
      ),
    )
}

/** What you can do about rows without a record. */
export const adviceAfter = (
  invocation: Invocation,
  settings: ImportSettings,
  sent: SentImport,
): ImportAdvice => ({
  hint: hintAfter(settings, sent),
  next: nextAfter(invocation, settings, sent),
})

function hintAfter({ results, rejects }: ImportSettings, { counts }: SentImport): string | undefined {
  if (rejects !== undefined && counts.failed > 0)
    return `Correct the rows in ${rejects}, then import that file.`
  return results === undefined
    ? 'Add --results FILE for the outcome of every row, and --rejects FILE for the failed ones.'
    : undefined
}

/** The same command, to resume, or the one that imports the corrected rejects. */
function nextAfter(
  invocation: Invocation,
  { path, rejects, encoding }: ImportSettings,
  { counts, ended }: SentImport,
): readonly string[] {
  if (ended !== undefined) {
    // The same --max-failures would stop the import again at once.
    const flags = [...READING_FLAGS, ...SENDING_FLAGS].filter(
      (name) => ended !== 'too-many-failures' || name !== 'max-failures',
    )
    return path === '-' ? [] : [commandLine(invocation, path, flags)]
  }
  if (rejects === undefined || counts.failed === 0) return []
  if (encoding === undefined || encoding === 'UTF-8') return [commandLine(invocation, rejects, READING_FLAGS)]
  const others = READING_FLAGS.filter((name) => name !== 'encoding')
  return [`${commandLine(invocation, rejects, others)} --encoding utf-8`]
}

/** The rejects are read with the same flags as the file that they come from, but are always UTF-8. */
const READING_FLAGS = [...TABLE_FLAG_NAMES, 'on-exists']
const SENDING_FLAGS = [
  'concurrency',
  'rate',
  'max-failures',
  'max-wait',
  'canary',
  'results',
  'rejects',
  'shard',
  'shards',
]

const commandLine = (invocation: Invocation, file: string, names: readonly string[]): string =>
  [
    `pay${accountFlagsOf(invocation)} observability import ${shellWord(file)}`,
    ...flagWords(invocation.input, names).map(shellWord),
  ].join(' ')
