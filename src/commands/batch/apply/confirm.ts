import type { PlanFile } from '../../../batch/file/read-plan.ts'
import type { BatchOperation } from '../../../batch/plan.ts'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { UsageError, PayError } from '../../../errors.ts'
import { formatMoney } from '../../../money/format.ts'
import { parseAmount } from '../../../money/parse.ts'
import { renderLiveModeWarning } from '../../../output/live-mode-warning.ts'
import type { ApplySettings } from './read-settings.ts'

type Plan = Pick<PlanFile, 'header' | 'trailer'>

/**
 * On a live profile, a person types the totals; a script passes `--yes` and what it expects.
 * @throws {UsageError} `confirmation_needed` or `expectation_needed`
 */
export async function confirmPlan(
  invocation: Invocation,
  plan: Plan,
  { expected }: ApplySettings,
  left: number,
): Promise<void> {
  const { mode, profile, baseUrl } = await invocation.account()
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
        hint: `State what you expect: ${flagsFor(plan)}`,
      },
    )
  }
  if (!invocation.isInteractive)
    throw new UsageError(
      `This moves real money on the live profile "${name}" and needs --yes when pay cannot ask`,
      {
        code: 'confirmation_needed',
        outcome: 'none',
        hint: `State what you expect: --yes ${flagsFor(plan)}`,
      },
    )
  await askForTotals(invocation, plan, name, left)
}

const flagsFor = ({ trailer: { totals, ready } }: Plan): string =>
  [
    ...totals.map(({ amount, currencyCode }) => `--expect-total '${formatMoney(amount, currencyCode)}'`),
    `--expect-count ${ready}`,
  ].join(' ')

async function askForTotals(
  invocation: Invocation,
  { header: { operation }, trailer: { ready, totals } }: Plan,
  name: string,
  left: number,
): Promise<void> {
  const paint = await invocation.paint('stderr')
  await invocation.warn(
    renderLiveModeWarning(name, { paint, width: invocation.context.stderr.columns }),
    'ids',
  )
  const over = ready - left
  await invocation.warn(
    `${VERBS[operation]} ${rowsInWords(ready)}${over === 0 ? '' : `, ${over} of them already finished`}:`,
  )
  for (const { currencyCode, count, amount } of totals)
    await invocation.warn(`  ${formatMoney(amount, currencyCode)} in ${rowsInWords(count)}`)
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

const VERBS: Readonly<Record<BatchOperation, string>> = {
  refund: 'Refund',
  capture: 'Capture',
  cancel: 'Cancel',
}

const rowsInWords = (count: number): string => `${count} ${count === 1 ? 'row' : 'rows'}`

function problemOf(answer: string, amount: number, currencyCode: string): string | undefined {
  try {
    const typed = parseAmount(answer, { what: 'The total', allowZero: true })
    if (typed.currencyCode === undefined) return `Write the currency too, such as ${currencyCode}.`
    return typed.amountMinor === amount && typed.currencyCode === currencyCode
      ? undefined
      : 'This is not the total of the plan.'
  } catch (error) {
    if (error instanceof PayError) return error.message
    throw error
  }
}
