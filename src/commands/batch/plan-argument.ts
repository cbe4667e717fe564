import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { openPlan } from '../../rows/batch/file/read-plan.ts'
import type { PlanFile } from '../../rows/batch/file/read-plan.ts'
import type { PlanTrailer } from '../../rows/batch/plan.ts'
import type { ArgumentSpec } from '../../cli/command/flags.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { PayError, UsageError } from '../../errors.ts'
import { formatMoney } from '../../money/format.ts'
import { flagWord } from '../../files/shell.ts'

/** A plan written by `pay batch plan`. */
export const PLAN_ARGUMENT: ArgumentSpec = {
  name: 'PLAN',
  from: 'file',
  help: 'A plan that pay batch plan has written',
}

/** Checks the whole plan that PLAN names, and calls `work` with it. */
export async function withPlan<T>(
  { context }: Invocation,
  input: CommandInput,
  work: (plan: PlanFile, shown: string) => Promise<T>,
): Promise<T> {
  const { PLAN: shown = '' } = input.args
  return work(open(resolve(context.cwd, shown), shown), shown)
}

function open(path: string, shown: string): PlanFile {
  try {
    return openPlan(path, shown)
  } catch (error) {
    if (!(error instanceof PayError) || error.code !== 'unreadable_file' || existsSync(path)) throw error
    throw new UsageError(error.message, {
      ...error.details,
      code: error.code,
      hint: 'pay batch list shows the plans of this machine; pay batch plan writes one.',
      next: ['pay batch list'],
      cause: error,
    })
  }
}

/** The flags of `pay batch apply` that name exactly this plan. */
export const expectationsOf = ({ totals, ready }: Pick<PlanTrailer, 'totals' | 'ready'>): string =>
  [
    ...totals.map(({ amount, currencyCode }) => flagWord('expect-total', formatMoney(amount, currencyCode))),
    `--expect-count ${ready}`,
  ].join(' ')
