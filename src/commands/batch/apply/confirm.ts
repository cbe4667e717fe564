import type { PlanFile } from '../../../rows/batch/file/read-plan.ts'
import type { BatchOperation, PlanRow } from '../../../rows/batch/plan.ts'
import { showBanner } from '../../../cli/guard/confirm.ts'
import { describeLedger } from '../../../client/config/ledger-choice.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { UsageError, PayError } from '../../../errors.ts'
import { formatMoney } from '../../../money/format.ts'
import { parseAmount } from '../../../money/parse.ts'
import { asFlagValue } from '../../../money/read-amount.ts'
import { effectsOfPlan } from '../../../views/batch/effects.ts'
import { expectationsOf } from '../plan-argument.ts'
import { pluralize } from '../../../text/words.ts'
import type { ApplySettings } from './read-settings.ts'

/** Counts of the rows that are finished. */
export interface OverRows {
  readonly done: number
  readonly skipped: number
}

type Plan = Pick<PlanFile, 'header' | 'trailer' | 'rows'>

/**
 * On a live profile, a person types the totals; a script passes `--yes` and what it expects.
 * @throws {UsageError} `confirmation_needed` or `expectation_needed`
 */
export async function confirmPlan(
  invocation: Invocation,
  plan: Plan,
  { expected }: ApplySettings,
  over: OverRows,
): Promise<void> {
  const { mode, profile, baseUrl, ledger } = await invocation.account()
  if (mode.value !== 'live') return
  const name = profile?.value ?? baseUrl.value
  if (invocation.settings.assumesYes) {
    const needsTotals = plan.trailer.totals.length > 0
    if (expected.count !== undefined && (expected.totals !== undefined || !needsTotals)) return
    throw new UsageError(
      `On the live profile "${name}", --yes needs ${needsTotals ? '--expect-total and ' : ''}--expect-count`,
      {
        code: 'expectation_needed',
        outcome: 'none',
        hint: `State what you expect: ${expectationsOf(plan.trailer)}`,
      },
    )
  }
  if (!invocation.isInteractive)
    throw new UsageError(
      `This moves real money on the live profile "${name}" and needs --yes when pay cannot ask`,
      {
        code: 'confirmation_needed',
        outcome: 'none',
        hint: `State what you expect: --yes ${expectationsOf(plan.trailer)}`,
      },
    )
  await showBanner(invocation, name, describeLedger(ledger))
  await askForTotals(invocation, plan, over)
}

async function askForTotals(
  invocation: Invocation,
  { header: { operation }, trailer, rows }: Plan,
  over: OverRows,
): Promise<void> {
  const { ready, totals, takingAll = 0 } = trailer
  await invocation.warn(`${VERBS[operation]} ${pluralize(ready, 'row')}${overInWords(over)}:`)
  for (const { currencyCode, count, amount } of totals)
    await invocation.warn(`  ${formatMoney(amount, currencyCode)} in ${pluralize(count, 'row')}`)
  for (const effect of effectsOfPlan(trailer, takingAll === 0 ? [] : firstTakingAll(rows())))
    await invocation.warn(`  ${effect}`)
  const prompts = await invocation.prompts()
  for (const { currencyCode, amount } of totals)
    await prompts.text({
      label: totals.length === 1 ? 'Total' : `Total in ${currencyCode}`,
      hint: 'type it to confirm, with its currency',
      check: (answer) => problemOf(answer, amount, currencyCode),
    })
  if (totals.length === 0)
    await prompts.text({
      label: 'Number of rows',
      hint: 'type it to confirm',
      check: (answer) => (answer.trim() === String(ready) ? undefined : 'is not the number of ready rows'),
    })
}

/** More rows than this are counted, not named. */
const MAX_NAMED_ROWS = 5

function firstTakingAll(rows: Iterable<PlanRow>): readonly number[] {
  const found: number[] = []
  for (const { row, verdict, takesAll } of rows) {
    if (verdict === 'ready' && takesAll === true) found.push(row)
    if (found.length === MAX_NAMED_ROWS) break
  }
  return found
}

const VERBS: Readonly<Record<BatchOperation, string>> = {
  refund: 'Refund',
  capture: 'Capture',
  cancel: 'Cancel',
}

/** `, of which 5 are done and 3 are skipped`. */
function overInWords(over: OverRows): string {
  const parts = (['done', 'skipped'] as const).flatMap((name) =>
    over[name] === 0 ? [] : [`${pluralize(over[name], 'is', 'are')} ${name}`],
  )
  return parts.length === 0 ? '' : `, of which ${parts.join(' and ')}`
}

function problemOf(answer: string, amount: number, currencyCode: string): string | undefined {
  try {
    const typed = parseAmount(asFlagValue(answer, currencyCode), { what: 'The total', allowZero: true })
    if (typed.currencyCode === undefined) return `Write the currency too, such as ${currencyCode}.`
    return typed.amountMinor === amount && typed.currencyCode === currencyCode
      ? undefined
      : 'This is not the total of the plan.'
  } catch (error) {
    if (error instanceof PayError) return error.message
    throw error
  }
}
