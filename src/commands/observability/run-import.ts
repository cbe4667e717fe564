import { createExternalPayment } from '../../api/operations/observability.ts'
import type { Counts } from '../../bulk/counts.ts'
import type { ImportEnd } from '../../bulk/import-run.ts'
import { parseMappingFile } from '../../bulk/mapping-file.ts'
import { confirmOrRefuse } from '../../cli/confirm.ts'
import { textFlag } from '../../cli/input.ts'
import type { CommandInput } from '../../cli/input.ts'
import type { Invocation } from '../../cli/invocation.ts'
import { keepLimits } from '../../cli/keep-limits.ts'
import { paymentReader } from '../../cli/payment-reader.ts'
import { resultOf } from '../../cli/result.ts'
import type { Result } from '../../cli/result.ts'
import { EXIT, PayError } from '../../errors.ts'
import { importSummaryView } from '../../views/import-summary.ts'
import { checkImport } from './check-import.ts'
import { readImportSettings } from './import-settings.ts'
import type { ImportSettings } from './import-settings.ts'
import { openSource } from './import-source.ts'
import { sendAll } from './send-import.ts'

const OUTCOMES = ['created', 'updated', 'skipped', 'failed', 'unknown'] as const
const LARGEST_MAPPING_BYTES = 1024 * 1024

export async function runImportCommand(invocation: Invocation, input: CommandInput): Promise<Result> {
  const settings = readImportSettings(input, invocation.context.env, mappingFile(invocation, input))
  if (invocation.settings.mode === 'dry-run')
    return checkImport(invocation, settings, await openSource(invocation, settings))
  await invocation.account()
  const draft = { params: {}, query: {}, body: undefined, money: undefined }
  await keepLimits(invocation, createExternalPayment, draft, paymentReader(invocation, draft))
  const source = await openSource(invocation, settings)
  await confirmOrRefuse(invocation, createExternalPayment, {
    draft,
    amountMinor: undefined,
    currencyCode: undefined,
  })
  const end = await sendAll(invocation, settings, source)
  if (end.ended !== 'trial') return resultWith(end)
  const rest = await sendTheRest(invocation, settings, end.counts)
  return resultWith(rest ?? end)
}

/** After a trial: what landed is shown, and somebody has to say yes to the rest. */
async function sendTheRest(invocation: Invocation, settings: ImportSettings, counts: Counts) {
  const words = OUTCOMES.flatMap((name) => (counts[name] === 0 ? [] : [`${counts[name]} ${name}`])).join(', ')
  await invocation.warn(`Of the first ${counts.rows} rows: ${words}.`)
  if (!invocation.settings.saysYes) {
    const isAnswered = invocation.isInteractive
      ? await (await invocation.context.prompts()).confirm({ sentence: 'Send the rest?' })
      : false
    if (!isAnswered) {
      await invocation.warn(
        'The rest is not sent. The same command goes on behind these rows; --yes says yes to it.',
      )
      return undefined
    }
  }
  return sendAll(
    invocation,
    { ...settings, canary: undefined, restart: false },
    await openSource(invocation, settings),
  )
}

function mappingFile({ context }: Invocation, input: CommandInput) {
  const path = textFlag(input, 'mapping')
  if (path === undefined) return undefined
  const bytes = context.readFile(path, LARGEST_MAPPING_BYTES)
  return parseMappingFile(new TextDecoder().decode(bytes), path)
}

function resultWith({ counts, ended, seconds }: ImportEnd & { readonly seconds: number }): Result {
  if (ended instanceof PayError && counts.rows === 0) throw ended
  const summary = {
    ...counts,
    seconds: Math.round(seconds * 10) / 10,
    ...(ended === undefined ? {} : { ended: ended instanceof Error ? ended.message : ended }),
  }
  return resultOf(summary, importSummaryView, isWhole(counts) && ended === undefined ? EXIT.done : EXIT.bulk)
}

const isWhole = ({ failed, skipped, unknown }: Counts): boolean => failed + skipped + unknown === 0
