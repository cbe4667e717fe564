import type { CurrencyTotal, PlanTrailer } from '../../../batch/plan.ts'
import { UsageError } from '../../../errors.ts'
import { formatMoney } from '../../../money/format.ts'
import type { Expected } from './read-settings.ts'

/**
 * Refuses a plan whose ready rows are not what a script expects, whether they are done or not.
 * @throws {UsageError} `expectation_failed`, with both figures
 */
export function refuseUnexpected(
  { ready, totals }: Pick<PlanTrailer, 'ready' | 'totals'>,
  expected: Expected,
): void {
  const problems = [
    ...(expected.totals === undefined ? [] : totalProblems(totals, expected.totals)),
    ...(expected.count === undefined || expected.count === ready
      ? []
      : [`it has ${ready} ready ${ready === 1 ? 'row' : 'rows'}, and --expect-count is ${expected.count}`]),
  ]
  if (problems.length === 0) return
  throw new UsageError(`The plan is not the one you expect: ${problems.join('; ')}`, {
    code: 'expectation_failed',
    outcome: 'none',
    hint: 'Check that this is the plan you mean. Both expectations cover all ready rows, done or not.',
  })
}

function totalProblems(
  totals: readonly CurrencyTotal[],
  expected: ReadonlyMap<string, number>,
): readonly string[] {
  const planned = new Map(totals.map(({ currencyCode, amount }) => [currencyCode, amount]))
  const currencies = [...new Set([...planned.keys(), ...expected.keys()])].toSorted()
  return currencies.flatMap((currencyCode) => {
    const [found, wanted] = [planned.get(currencyCode) ?? 0, expected.get(currencyCode)]
    if (found === wanted) return []
    const total = `its total is ${formatMoney(found, currencyCode)}`
    return [
      wanted === undefined
        ? `${total}, and --expect-total names no amount in ${currencyCode}`
        : `${total}, and --expect-total is ${formatMoney(wanted, currencyCode)}`,
    ]
  })
}
