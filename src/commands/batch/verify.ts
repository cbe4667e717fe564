import { refuseForeign } from '../../batch/apply/gates.ts'
import type { PlanFile } from '../../batch/file/read-plan.ts'
import type { VerifiedRow } from '../../batch/verify/compare.ts'
import { verifyRows } from '../../batch/verify/verify-rows.ts'
import { ownerOf, targetOf } from '../../cli/command/request-target.ts'
import { accountFlagsOf } from '../../cli/command/account-flags.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { longObjectOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { EXIT, PayError } from '../../errors.ts'
import { shellWord } from '../../shell-word.ts'
import { verificationView } from '../../views/batch/verification.ts'
import type { Verification } from '../../views/batch/verification.ts'
import { pluralize } from '../../views/format-fields.ts'
import { PACE_FLAGS } from '../file-flags.ts'
import { readConcurrency, readRate } from '../file-settings.ts'
import { progressOn } from '../row-progress.ts'
import { PLAN_ARGUMENT, withPlan } from './plan-argument.ts'
import { withPaymentReader } from '../read-payments.ts'

export const command: CommandSpec = {
  path: ['batch', 'verify'],
  summary: 'Read every payment of a plan again, and compare it with the plan',
  details:
    'Compares each ready row with what the payment shows now: as planned, missing, more than planned, or still pending. It relies on the payments alone, not on what pay batch apply has reported.',
  examples: [
    {
      purpose: 'check that a plan was applied as planned',
      line: 'pay --sandbox batch verify refunds.plan.ndjson',
    },
    {
      purpose: 'list the rows that are missing',
      line: 'pay --sandbox batch verify refunds.plan.ndjson --query "rows[?state==\'missing\'].row"',
    },
  ],
  args: [PLAN_ARGUMENT],
  flags: PACE_FLAGS,
  exitCodes: [
    EXIT.auth,
    EXIT.rateLimited,
    EXIT.notFinished,
    EXIT.notConnected,
    EXIT.serverFault,
    EXIT.bulk,
    EXIT.interrupted,
  ],
  run: (invocation, input) =>
    withPlan(invocation, input, (plan, shown) => verify(invocation, input, plan, shown)),
  related: ['batch apply', 'batch show', 'payment explain', 'payment wait'],
}

async function verify(
  invocation: Invocation,
  input: CommandInput,
  { header, trailer, rows }: PlanFile,
  shown: string,
): Promise<Result> {
  const account = await invocation.account()
  const target = targetOf(account, invocation.context)
  refuseForeign(header, { baseUrl: target.baseUrl, account: ownerOf(account) }, shown)
  const pace = {
    concurrency: readConcurrency(textFlag(input, 'concurrency')),
    rate: readRate(textFlag(input, 'rate')),
  }
  let read = 0
  const progress = progressOn(invocation, { size: trailer.ready, bytesRead: () => read })
  const interrupted = 'Interrupted: not all payments were compared.'
  const verified = await withPaymentReader(invocation, pace, { progress, interrupted }, (reader) =>
    verifyRows({
      operation: header.operation,
      rows: rows(),
      reader,
      onProgress: (count, deviating) => {
        read = count
        progress.show({ rows: count, deviating })
      },
    }),
  )
  const found = verificationOf(header.planId, verified)
  const problem = problemOf(found, trailer.ready, `pay${accountFlagsOf(invocation)} batch`, shellWord(shown))
  const { rows: compared, ...head } = found
  const jsonLines = () => compared.map(({ currencyCode: _, ...row }) => JSON.stringify(row))
  const result = longObjectOf(
    { head, key: 'rows', jsonLines },
    found,
    verificationView,
    problem?.exitCode ?? EXIT.done,
  )
  return problem === undefined ? result : { ...result, problem }
}

function verificationOf(planId: string, rows: readonly VerifiedRow[]): Verification {
  const count = (state: VerifiedRow['state']) => rows.filter((row) => row.state === state).length
  const unread = count('unread')
  return {
    planId,
    asPlanned: count('asPlanned'),
    missing: count('missing'),
    more: count('more'),
    pending: count('pending'),
    ...(unread === 0 ? {} : { unread }),
    rows,
  }
}

function problemOf(
  { missing, more, pending, unread = 0 }: Verification,
  ready: number,
  pay: string,
  plan: string,
): PayError | undefined {
  const deviating = missing + more + unread
  if (deviating > 0)
    return new PayError(
      'not_as_planned',
      EXIT.bulk,
      `${deviating} of ${pluralize(ready, 'ready row')} ${deviating === 1 ? 'is' : 'are'} not as planned`,
      {
        outcome: 'none',
        hint:
          missing > 0
            ? 'Applying the plan again does the rows that are left; its results say why others are missing. If they are done there, the service has reversed them: plan them again with a ticket.'
            : more > 0
              ? 'Someone moved more than was planned: look at these payments with pay payment explain.'
              : 'Verify again once the payments can be read.',
        next: missing > 0 ? [`${pay} apply ${plan}`] : [`${pay} verify ${plan}`],
      },
    )
  return pending === 0
    ? undefined
    : new PayError(
        'still_pending',
        EXIT.notFinished,
        `${pluralize(pending, 'row')} ${pending === 1 ? 'is' : 'are'} still pending`,
        {
          outcome: 'none',
          retryable: true,
          hint: 'The service has accepted them, but not settled them. Verify again later.',
          next: [`${pay} verify ${plan}`],
        },
      )
}
