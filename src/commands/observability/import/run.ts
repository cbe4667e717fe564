import { createExternalPayment } from '../../../api/operations/observability.ts'
import { refuseOwnFolders } from '../../../rows/keep/output-files.ts'
import type { RowWarnings } from '../../../rows/map/row-warnings.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import { resultOf } from '../../../cli/command/result.ts'
import type { Result } from '../../../cli/command/result.ts'
import { confirmOrRefuse } from '../../../cli/guard/confirm.ts'
import { refuseForbidden } from '../../../cli/request/amount.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import type { CommandRun } from '../../../cli/command/spec.ts'
import type { Draft } from '../../../cli/command/draft.ts'
import { EXIT, PayError, isInterruption } from '../../../errors.ts'
import { countsInWords } from '../../../rows/keep/counts.ts'
import type { Repeats } from '../../../rows/keep/repeats.ts'
import { isRateLimited, runError, rowProblem } from '../../../rows/import/run-problem.ts'
import type { ImportAdvice, ImportResult } from '../../../rows/import/run-problem.ts'
import type { ImportSettings } from '../../../rows/import/settings.ts'
import type { ImportSource } from '../../../rows/import/source.ts'
import { repeatWords, repeatsSentence } from '../../../views/import/repeats.ts'
import type { ImportRepeats } from '../../../views/import/repeats.ts'
import { shownLeftOut } from '../../../views/import/left-out.ts'
import { importSummaryView } from '../../../views/import/summary.ts'
import { haltOnInterrupt } from '../../halt-on-interrupt.ts'
import { adviceAfter, noteFiles } from './advice.ts'
import { checkImport } from './check.ts'
import { openImportSource, reopenImportSource } from './open-source.ts'
import { previewOf, describeRowCount, showPreview } from './preview.ts'
import { readImportSettings } from './read-settings.ts'
import { sendImport } from './send.ts'
import type { SentImport } from './send.ts'

export async function runImportCommand(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const settings = readImportSettings(invocation.context, input)
  const { results, rejects } = settings
  refuseOwnFolders({ '--results': results, '--rejects': rejects }, invocation.context)
  const halt = haltOnInterrupt(invocation)
  if (invocation.settings.mode === 'dry-run')
    return checkImport(invocation, settings, await openImportSource(invocation, settings, halt.signal))
  await invocation.account()
  await refuseForbidden(invocation, createExternalPayment)
  const source = await openImportSource(invocation, settings, halt.signal)
  await confirmImport(invocation, settings, source)
  const first = await sendImport(invocation, settings, source, { halt })
  const last = first.ended === 'trial' ? await sendTheRest(invocation, settings, first) : first
  const sent = isRateLimited(last.ended)
    ? { ...last, left: await leftAfter(invocation, settings, source, last) }
    : last
  await warnAboutRows(invocation, source.rowWarnings)
  await noteFiles(invocation, settings, sent)
  return resultOfImport(invocation, sent, adviceAfter(invocation, settings, sent))
}

/** How many rows are left. Reads the input once more, since it was not read to its end. */
async function leftAfter(
  invocation: Invocation,
  settings: ImportSettings,
  source: ImportSource,
  { counts }: SentImport,
): Promise<ImportResult['left']> {
  const preview = await previewOf(invocation, settings, source)
  return preview && { ...preview, rows: Math.max(0, preview.rows - counts.rows) }
}

/** For guards and the question; an import has no single request. */
const draftOf = (params: Draft['params']): Draft => ({
  params,
  query: {},
  body: undefined,
  money: undefined,
})

/** On a live account, shows a preview before it asks. */
async function confirmImport(
  invocation: CommandRun,
  settings: ImportSettings,
  source: ImportSource,
): Promise<void> {
  const { mode } = await invocation.account()
  const isAsked = mode.value === 'live' && invocation.isInteractive && !invocation.settings.assumesYes
  const preview = isAsked ? await previewOf(invocation, settings, source) : undefined
  if (preview?.rows === 0) return
  if (isAsked) await showPreview(invocation, settings, preview)
  await confirmOrRefuse(invocation, createExternalPayment, {
    draft: draftOf({
      FILE: settings.path,
      ...(preview === undefined ? {} : { ROWS: describeRowCount(preview) }),
    }),
    amountMinor: undefined,
    currencyCode: undefined,
  })
}

export async function warnAboutRows(invocation: Invocation, rowWarnings: RowWarnings): Promise<void> {
  for (const { text, count } of rowWarnings.all())
    await invocation.warn(`Warning: ${invocation.cleanText(text)}${count === 1 ? '' : ` (${count} rows)`}`)
}

const MAX_SHOWN_REPEATS = 3

async function warnAboutRepeats(
  invocation: Invocation,
  repeats: Repeats,
  kept: ImportRepeats['kept'],
): Promise<void> {
  const { count, first } = repeats
  if (count === 0) return
  const named = [
    ...first.slice(0, MAX_SHOWN_REPEATS).map(repeatWords),
    ...(first.length > MAX_SHOWN_REPEATS ? ['others'] : []),
  ]
  const sentence = `${repeatsSentence({ count, kept })}: ${named.join(', ')}`
  await invocation.warn(`Warning: ${invocation.cleanText(sentence)}`)
}

/** Shows the outcome of the trial, and sends the rest once you confirm. */
async function sendTheRest(
  invocation: Invocation,
  settings: ImportSettings,
  trial: SentImport,
): Promise<SentImport> {
  const { warn, cleanText } = invocation
  await warn(`Of the first ${trial.counts.rows} rows: ${countsInWords(trial.counts)}.`)
  for (const { path, description } of trial.problemRows.map(rowProblem))
    await warn(`  ${cleanText(path)} ${cleanText(description)}`)
  if (!invocation.settings.assumesYes && !(await confirmsTheRest(invocation))) return trial
  const halt = haltOnInterrupt(invocation)
  const rest = { ...settings, canary: undefined, restart: false }
  return sendImport(invocation, rest, await reopenImportSource(invocation, rest), { halt })
}

async function confirmsTheRest({ isInteractive, prompts: open }: Invocation): Promise<boolean> {
  if (!isInteractive) return false
  const prompts = await open()
  return prompts.confirm({ sentence: 'Send the rest?' }).catch((error: unknown) => {
    if (isInterruption(error)) return false
    throw error
  })
}

/** A run that sent nothing fails like any other command; any other run prints its summary. */
export async function resultOfImport(
  invocation: Invocation,
  sent: SentImport,
  advice: ImportAdvice,
): Promise<Result> {
  const { seconds, ended, isBlank, repeats, counts } = sent
  if (isBlank && ended instanceof PayError && !isRateLimited(ended)) throw ended
  await warnAboutRepeats(invocation, repeats, sent.kept)
  const problem = runError(sent, { ...advice, stop: invocation.context.interruption.stop })
  const summary = {
    ...counts,
    seconds: Math.round(seconds * 10) / 10,
    ...(sent.left === undefined ? {} : { left: sent.left.rows }),
    ...(sent.leftOut.length === 0 ? {} : { leftOut: shownLeftOut(sent.leftOut) }),
    ...(repeats.count === 0 ? {} : { repeats: repeats.count }),
    ...(ended === undefined ? {} : { ended: problem?.code ?? 'interrupted' }),
  }
  return {
    ...resultOf(summary, importSummaryView, problem?.exitCode ?? EXIT.done),
    ...(problem === undefined ? {} : { problem }),
  }
}
