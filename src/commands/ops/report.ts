import { OPEN_STATES, paymentOf } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { accountFlagsOf } from '../../cli/command/flag-words.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { earlierSandboxTest } from '../../cli/command/sandbox-identity.ts'
import { resultAsWritten } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { warnAboutDamage } from '../../cli/report/ledger-damage.ts'
import { shownUrl } from '../../client/config/sandbox-url.ts'
import { EXIT, PayError } from '../../errors.ts'
import { stringifyJson } from '../../json/json.ts'
import { pluralize } from '../../text/words.ts'
import { buildReport, writeReportView } from '../../views/ops/report.ts'
import type { ReportOutcome, ReportedWrite } from '../../views/ops/report.ts'
import { formatOperationAmount, isOpen, withKnownPayments } from '../../views/ops/state.ts'
import type { ComparedWrite } from '../../views/ops/verification.ts'
import { PACE_FLAGS } from '../file-settings.ts'
import {
  LEDGER_PERIOD_FLAGS,
  MINE_FLAG,
  openLedger,
  readLedgerPeriod,
  readMine,
  readProfileFilter,
  storedForm,
} from './record-arguments.ts'
import { compareConfirmed } from './verify.ts'

const DEFAULT_FROM = '12h'

export const command: CommandSpec = {
  path: ['ops', 'report'],
  summary: 'Report what was done, to hand over a shift or to file for an audit',
  details: [
    'Lists every write that was started in the period, with who made it, its order, reason and outcome, and the approvals of its plan; then totals by operation and currency. What is open comes first, however long ago it was started, then what failed.',
    'Without --check, the report says what the ledger recorded, and needs no network. --check reads the payments of the account in use again: refunds that were accepted and then failed come first, and are left out of the totals.',
    'Test and live money are never added up. As CSV, one write per line, always with the same columns. Imports of external payments and reads are not in the ledger, so not in the report.',
  ].join('\n\n'),
  examples: [
    { purpose: 'hand over the last twelve hours', line: 'pay ops report' },
    {
      purpose: "file yesterday's writes for an audit, with the payments read again",
      line: 'pay ops report --from yesterday --to yesterday --check -o csv',
    },
    { purpose: 'sum up the refunds of a week', line: 'pay ops report --from 7d --query totals' },
  ],
  flags: {
    ...LEDGER_PERIOD_FLAGS,
    mine: MINE_FLAG,
    check: { kind: 'switch', help: 'Read the payments again, to find what failed later' },
    ...PACE_FLAGS,
  },
  exitCodes: [EXIT.auth, EXIT.rateLimited, EXIT.notConnected, EXIT.outcomeUnknown, EXIT.serverFault],
  run,
  related: ['ops list', 'ops verify', 'ops resolve', 'batch show'],
}

async function run(invocation: Invocation, input: CommandInput): Promise<Result> {
  const { context } = invocation
  const now = context.now()
  const period = readLedgerPeriod(input, now, DEFAULT_FROM)
  const { from = '', to = now.toISOString() } = period
  const filter = {
    to: storedForm(period.to),
    by: readMine(invocation, input),
    profile: readProfileFilter(textFlag(input, 'profile'), switchFlag(input, 'sandbox')),
  }
  const ledger = await openLedger(invocation)
  const listing = await ledger.list({ ...filter, from: storedForm(from), checksEnded: true })
  const open = await ledger.list({ ...filter, states: OPEN_STATES })
  await warnAboutDamage(invocation, listing)
  const isEarlier = await earlierSandboxTest(context)
  const all = new Map([...open.records, ...listing.records].map((record) => [record.id, record]))
  const records = [...all.values()].filter((record) => !isEarlier(record))
  if (records.length < all.size)
    await invocation.note(`Left out: ${pluralize(all.size - records.length, 'write')} to an earlier sandbox.`)
  const isChecked = switchFlag(input, 'check')
  const compared = isChecked
    ? (await compareConfirmed(invocation, input, { from, to: period.to, refundsOnly: false })).compared
    : []
  const verdicts = new Map(compared.map(({ operationId, verdict }) => [operationId, verdict]))
  const report = buildReport(
    {
      from,
      to,
      reportedAt: now.toISOString(),
      reportedBy: `${context.program.user()}@${context.program.machine}`,
      ledger:
        ledger.team === undefined
          ? 'this machine only'
          : `${ledger.team.url}, account ${ledger.team.account}`,
      checked: isChecked,
    },
    withKnownPayments(records.toReversed(), keyOf).map((record) =>
      reportedWrite(record, verdicts.get(record.id)),
    ),
  )
  const result = resultAsWritten(stringifyJson(report, 2), report, writeReportView)
  if (report.counts.open === 0) return result
  const problem = new PayError(
    'outcome_unknown',
    EXIT.outcomeUnknown,
    `${pluralize(report.counts.open, 'write is', 'writes are')} in doubt or under way`,
    {
      hint: 'The report lists them first. Nothing was sent.',
      next: [`pay${accountFlagsOf(invocation)} ops resolve --all`],
    },
  )
  return { ...result, exitCode: problem.exitCode, problem }
}

/** The payment of a record at its service. */
function keyOf(record: StoredRecord): string | null {
  const payment = paymentOf(record)
  return payment === null ? null : `${record.baseUrl} ${payment}`
}

function reportedWrite(record: StoredRecord, verdict: ComparedWrite['verdict'] | undefined): ReportedWrite {
  const { plan } = record
  const amount = record.amount ?? record.movedAmount ?? null
  return {
    outcome: outcomeOf(record, verdict),
    operation: record.operation,
    orderId: record.orderId ?? (record.targetKind === 'order' ? record.target : null),
    target: record.target,
    amount,
    currencyCode: record.currencyCode,
    money: formatOperationAmount({ ...record, amount }) ?? null,
    reason: record.reason,
    user: record.user,
    host: record.host,
    createdAt: record.createdAt,
    endedAt: isOpen(record) ? null : record.updatedAt,
    profile: record.profile,
    mode: record.mode,
    baseUrl: shownUrl(record.baseUrl),
    planId: plan?.id ?? null,
    plannedBy: plan?.plannedBy ?? null,
    approvedBy: plan === undefined || plan.approvedBy.length === 0 ? null : plan.approvedBy.join(', '),
    operationId: record.id,
    idempotencyKey: record.idempotencyKey,
    note: record.note,
  }
}

function outcomeOf(record: StoredRecord, verdict: ComparedWrite['verdict'] | undefined): ReportOutcome {
  switch (record.state) {
    case 'sending':
    case 'in-doubt':
      return 'open'
    case 'rejected':
      return 'failed'
    case 'abandoned':
      return 'abandoned'
    case 'confirmed':
      // A declined write has changed nothing.
      if (record.exitCode === EXIT.declined) return 'failed'
      return verdict === undefined || verdict === 'as_recorded' ? 'done' : verdict
  }
}
