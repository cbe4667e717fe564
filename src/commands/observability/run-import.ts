import { setMaxListeners } from 'node:events'
import { createExternalPayment } from '../../api/operations/observability.ts'
import { parseMappingFile } from '../../bulk/map/mapping-file.ts'
import type { RowWarnings } from '../../bulk/map/row-warnings.ts'
import type { Repeats } from '../../import/repeats.ts'
import { confirmOrRefuse } from '../../cli/guard/confirm.ts'
import type { Draft } from '../../cli/command/draft.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import type { CommandRun } from '../../cli/command/spec.ts'
import { enforceLimits } from '../../cli/amount/limits.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import { EXIT, PayError, isInterruption } from '../../errors.ts'
import { partialSentence, repeatWords, repeatsSentence } from '../../views/import/repeats.ts'
import type { ImportRepeats } from '../../views/import/repeats.ts'
import { importSummaryView } from '../../views/import/summary.ts'
import { checkImport } from './check-import.ts'
import { readImportSettings } from './import-settings.ts'
import type { ImportSettings } from './import-settings.ts'
import { openSource, reopenSource } from './import-source.ts'
import type { ImportSource } from './import-source.ts'
import { adviceAfter, tellFiles } from './import-end.ts'
import { previewOf, rowsInWords, showPreview } from './import-preview.ts'
import { problemOf, troubleLine, wordsOf } from './import-problem.ts'
import type { ImportAdvice } from './import-problem.ts'
import { sendAll } from './send-import.ts'
import type { SentImport } from './send-import.ts'

const LARGEST_MAPPING_BYTES = 1024 * 1024

export async function runImportCommand(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const settings = readImportSettings(input, invocation.context.env, mappingFile(invocation, input))
  const halt = haltWith(invocation)
  if (invocation.settings.mode === 'dry-run')
    return checkImport(invocation, settings, await openSource(invocation, settings, halt.signal))
  await invocation.account()
  const draft = draftOf({ FILE: settings.path })
  await enforceLimits(invocation, createExternalPayment, draft)
  const source = await openSource(invocation, settings, halt.signal)
  await confirmImport(invocation, settings, source)
  const end = await sendAll(invocation, settings, source, halt)
  const rest = end.ended === 'trial' ? await sendTheRest(invocation, settings, end) : end
  await tellRemarks(invocation, source.rowWarnings)
  await tellFiles(invocation, settings, rest)
  return resultOfImport(invocation, rest, adviceAfter(invocation, settings, rest))
}

/** No single request: only its words are asked about. */
export const draftOf = (params: Draft['params']): Draft => ({
  params,
  query: {},
  body: undefined,
  money: undefined,
})

/** Shows what would be sent where somebody is asked whether it is to be. */
async function confirmImport(
  invocation: CommandRun,
  settings: ImportSettings,
  source: ImportSource,
): Promise<void> {
  const { mode } = await invocation.account()
  const isAsked = mode.value === 'live' && invocation.isInteractive && !invocation.settings.saysYes
  const preview = isAsked ? await previewOf(invocation, settings, source) : undefined
  if (preview?.rows === 0) return
  if (isAsked) await showPreview(invocation, settings, preview)
  await confirmOrRefuse(invocation, createExternalPayment, {
    draft: draftOf({
      FILE: settings.path,
      ...(preview === undefined ? {} : { ROWS: rowsInWords(preview) }),
    }),
    amountMinor: undefined,
    currencyCode: undefined,
  })
}

/** What is odd about rows that were sent all the same. */
export async function tellRemarks(invocation: Invocation, rowWarnings: RowWarnings): Promise<void> {
  for (const { remark, count } of rowWarnings.all())
    await invocation.warn(`Warning: ${invocation.cleanWords(remark)}${count === 1 ? '' : ` (${count} rows)`}`)
}

const SHOWN_REPEATS = 3

async function tellRepeats(
  invocation: CommandRun,
  repeats: Repeats,
  kept: ImportRepeats['kept'],
): Promise<void> {
  const { count, first, partialFrom } = repeats
  const names = [
    ...first.slice(0, SHOWN_REPEATS).map(repeatWords),
    ...(first.length > SHOWN_REPEATS ? ['others'] : []),
  ]
  const lines = [
    ...(count === 0 ? [] : [`${repeatsSentence({ count, kept })}: ${names.join(', ')}`]),
    ...(partialFrom === undefined ? [] : [partialSentence(partialFrom)]),
  ]
  for (const line of lines) await invocation.warn(`Warning: ${invocation.cleanWords(line)}`)
}

/** A first signal takes no new rows. */
export function haltWith({ context }: Invocation): AbortController {
  const halt = new AbortController()
  // Every request that is under way listens.
  setMaxListeners(0, halt.signal)
  const { stop } = context.interruption
  if (stop.aborted) halt.abort()
  else stop.addEventListener('abort', () => halt.abort(), { once: true })
  return halt
}

/** After a trial: what landed is shown, and somebody has to say yes to the rest. */
async function sendTheRest(
  invocation: CommandRun,
  settings: ImportSettings,
  trial: SentImport,
): Promise<SentImport> {
  const { warn, cleanWords } = invocation
  await warn(`Of the first ${trial.counts.rows} rows: ${wordsOf(trial.counts)}.`)
  for (const { path, description } of trial.troubles.map(troubleLine))
    await warn(`  ${cleanWords(path)} ${cleanWords(description)}`)
  if (!invocation.settings.saysYes && !(await saysYes(invocation))) return trial
  const halt = haltWith(invocation)
  const rest = { ...settings, canary: undefined, restart: false }
  return sendAll(invocation, rest, await reopenSource(invocation, rest), halt, trial.repeats)
}

async function saysYes({ isInteractive, prompts: open }: Invocation): Promise<boolean> {
  if (!isInteractive) return false
  const prompts = await open()
  return prompts.confirm({ sentence: 'Send the rest?' }).catch((error: unknown) => {
    if (isInterruption(error)) return false
    throw error
  })
}

function mappingFile({ context }: Invocation, input: CommandInput) {
  const path = textFlag(input, 'mapping')
  if (path === undefined) return undefined
  const bytes = context.readFile(path, LARGEST_MAPPING_BYTES)
  return parseMappingFile(new TextDecoder().decode(bytes), path)
}

/** A run that did nothing at all fails like any other command; every other one tells what it came to. */
export async function resultOfImport(
  invocation: CommandRun,
  end: SentImport,
  advice: ImportAdvice,
): Promise<Result> {
  const { counts, seconds, ended, isBlank } = end
  const repeats = end.repeats.end()
  if (isBlank && ended instanceof PayError) throw ended
  await tellRepeats(invocation, repeats, end.kept)
  const problem = problemOf(end, { ...advice, stop: invocation.context.interruption.stop })
  const summary = {
    ...counts,
    seconds: Math.round(seconds * 10) / 10,
    ...(repeats.count === 0 ? {} : { repeats: repeats.count }),
    ...(ended === undefined ? {} : { ended: problem?.code ?? 'interrupted' }),
  }
  return {
    ...resultOf(summary, importSummaryView, problem?.exitCode ?? EXIT.done),
    ...(problem === undefined ? {} : { problem }),
  }
}
