import { factsOf } from '../../api/facts.ts'
import type { PaymentReader } from '../../rows/payments/payment-reader.ts'
import { accountFlagsOf } from '../../cli/command/flag-words.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import { switchFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { ownerOf } from '../../cli/command/request-target.ts'
import { resultAsWritten } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { warnAboutDamage } from '../../cli/report/ledger-damage.ts'
import { EXIT, PayError } from '../../errors.ts'
import { lastWords } from '../../files/shell.ts'
import { stringifyJson } from '../../json/json.ts'
import { byCreation } from '../../client/ledger/listing.ts'
import { openLedger, storedForm } from './record-arguments.ts'
import { paymentOf } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { agree, pluralize } from '../../text/words.ts'
import { writeVerificationView } from '../../views/ops/verification.ts'
import type { ComparedWrite, WriteVerification } from '../../views/ops/verification.ts'
import { VERIFY_EXITS, stillPending, withPaymentReader } from '../read-payments.ts'
import { PACE_FLAGS, readPace } from '../file-settings.ts'
import { periodFlags, readPeriod } from '../period.ts'
import { progressOn } from '../row-progress.ts'
import { compareWrites, effectOf } from '../compare-writes.ts'

const DEFAULT_FROM = '7d'

export const command: CommandSpec = {
  path: ['ops', 'verify'],
  summary: 'Compare what the ledger has confirmed with what the payments show',
  details: [
    "Reads each payment once and sends nothing else. A write is as recorded, still pending, failed later (a refund that was accepted and then failed), missing, or more: the payment shows more equal effects since than this ledger knows, for example a refund that a colleague repeated. A payment that can't be read is unreadable.",
    "A write's refund is dated at most a day before it, by this machine's clock. A sandbox has its own: if it was advanced, an older equal refund that this ledger doesn't know counts as more too; if it is set more than a day back, as tests do, refunds are reported missing.",
    "Rows of batches are included. Writes of other accounts, to a sandbox that was emptied since, and writes that aren't on a payment, are left out.",
  ].join('\n\n'),
  examples: [
    { purpose: 'see what became of the last seven days', line: 'pay ops verify' },
    {
      purpose: 'list the refunds of a month that failed later',
      line: 'pay ops verify --from 30d --refunds --query "rows[?verdict==\'failed_later\'].target"',
    },
  ],
  flags: {
    ...periodFlags('Started'),
    refunds: { kind: 'switch', help: 'Only refunds' },
    ...PACE_FLAGS,
  },
  exitCodes: VERIFY_EXITS,
  run,
  related: ['ops list', 'batch verify', 'payment explain'],
}

async function run(invocation: Invocation, input: CommandInput): Promise<Result> {
  const { context } = invocation
  const { from = '', to } = readPeriod(
    { ...input, flags: { from: DEFAULT_FROM, ...input.flags } },
    context.now(),
  )
  const { checked, compared } = await compareConfirmed(invocation, input, {
    from,
    to,
    refundsOnly: switchFlag(input, 'refunds'),
  })
  const rows = compared.filter(({ verdict }) => verdict !== 'as_recorded')
  const pending = rows.filter(({ verdict }) => verdict === 'pending').length
  const found = { from, checked, asRecorded: checked - rows.length, pending, rows }
  const problem = problemOf(found, `pay${accountFlagsOf(invocation)}`)
  const answer = {
    ...found,
    rows: rows.map(({ createdAt: _at, currencyCode: _currency, message: _message, ...row }) => row),
  }
  const result = resultAsWritten(
    stringifyJson(answer, 2),
    found,
    writeVerificationView,
    problem?.exitCode ?? EXIT.done,
  )
  return problem === undefined ? result : { ...result, problem }
}

/** Compares the confirmed writes of the account that was in use then with the payments as they are, newest first. */
export async function compareConfirmed(
  invocation: Invocation,
  input: CommandInput,
  wanted: Wanted,
): Promise<{ readonly checked: number; readonly compared: readonly ComparedWrite[] }> {
  const payments = await confirmedWrites(invocation, wanted)
  const checked = [...payments.values()].flatMap(({ due }) => due).length
  if (checked === 0) return { checked, compared: [] }
  let read = 0
  const progress = progressOn(invocation, { size: payments.size, bytesRead: () => read })
  const interrupted = 'Interrupted: not all payments were compared.'
  const compared = await withPaymentReader(invocation, readPace(input), { progress, interrupted }, (reader) =>
    comparePayments(payments, reader, (rows, deviating) => {
      read += 1
      progress.show({ rows, deviating })
    }),
  )
  return { checked, compared }
}

/** All confirmed writes on a payment, oldest first, and those of them to compare. */
interface WritesOnPayment {
  readonly known: StoredRecord[]
  readonly due: StoredRecord[]
}

interface Wanted {
  readonly from: string
  readonly to: string | undefined
  readonly refundsOnly: boolean
}

async function confirmedWrites(
  invocation: Invocation,
  { from, to, refundsOnly }: Wanted,
): Promise<ReadonlyMap<string, WritesOnPayment>> {
  const account = await invocation.account()
  const owner = ownerOf(account)
  const ledger = await openLedger(invocation)
  const listing = await ledger.list({
    from: storedForm(from),
    to: storedForm(to),
    states: ['confirmed'],
  })
  await warnAboutDamage(invocation, listing)
  const payments = new Map<string, WritesOnPayment>()
  let elsewhere = 0
  for (const record of listing.records) {
    if (!isComparable(record) || (refundsOnly && effectOf(record) !== 'refunded')) continue
    if (record.account !== owner) elsewhere += 1
    else writesOn(payments, record).due.push(record)
  }
  if (elsewhere > 0)
    await invocation.note(
      `Left out: ${pluralize(elsewhere, 'write')} of other accounts or earlier sandboxes.`,
    )
  await ledger.visitEnded((record) => {
    const writes = payments.get(paymentOf(record) ?? '')
    if (record.state === 'confirmed' && record.baseUrl === account.baseUrl.value) writes?.known.push(record)
  })
  return payments
}

const isComparable = (record: StoredRecord): boolean =>
  paymentOf(record) !== null && (factsOf(record.operation)?.effect ?? 'none') !== 'none'

function writesOn(payments: Map<string, WritesOnPayment>, record: StoredRecord): WritesOnPayment {
  const id = paymentOf(record) ?? ''
  const writes = payments.get(id) ?? { known: [], due: [] }
  payments.set(id, writes)
  return writes
}

/** The most payments that are read concurrently. */
const WINDOW = 128

/** The writes to compare, newest first. */
async function comparePayments(
  payments: ReadonlyMap<string, WritesOnPayment>,
  reader: PaymentReader,
  onProgress: (writes: number, deviating: number) => void,
): Promise<readonly ComparedWrite[]> {
  const entries = [...payments]
  const compared: ComparedWrite[] = []
  let deviating = 0
  for (let start = 0; start < entries.length; start += WINDOW) {
    const part = entries.slice(start, start + WINDOW)
    await Promise.all(
      part.map(async ([target, { known, due }]) => {
        const found = compareWrites(known.toSorted(byCreation).toReversed(), await reader.byId(target))
        for (const record of due) {
          const { id: operationId, operation, createdAt, currencyCode } = record
          const comparison = found.get(operationId)
          if (comparison === undefined) continue
          compared.push({ operationId, operation, target, ...comparison, createdAt, currencyCode })
          if (comparison.verdict !== 'as_recorded') deviating += 1
        }
        onProgress(compared.length, deviating)
      }),
    )
  }
  return compared.toSorted(byCreation)
}

function problemOf({ checked, pending, rows }: WriteVerification, pay: string): PayError | undefined {
  const deviating = rows.length - pending
  if (deviating > 0)
    return new PayError(
      'not_as_recorded',
      EXIT.bulk,
      `${deviating} of ${pluralize(checked, 'write')} ${agree(deviating, 'is', 'are')} not as recorded`,
      {
        outcome: 'none',
        hint: 'Nothing was sent. Look at these payments before you repeat anything.',
        next: [
          `${pay} payment explain ${lastWords(rows.find(({ verdict }) => verdict !== 'pending')?.target ?? '')}`,
        ],
      },
    )
  return pending === 0
    ? undefined
    : stillPending(pluralize(pending, 'write is', 'writes are'), `${pay} ops verify`)
}
