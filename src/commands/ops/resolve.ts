import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandRun, CommandSpec } from '../../cli/command/spec.ts'
import { EXIT, UsageError, PayError } from '../../errors.ts'
import { resolutionView, resolutionsView } from '../../views/ops/resolution.ts'
import { isOpen, describeOperation } from '../../views/ops/state.ts'
import { createResolver, shownResolution, alreadySettled } from './resolve-record.ts'
import {
  ID_ARGUMENT,
  askOperationId,
  findReadableRecord,
  openLedger,
  readProfileFilter,
} from './record-arguments.ts'
import { accountOf } from '../../client/calls/build-intent.ts'
import type { Answer, Call } from '../../client/calls/call.ts'
import { isKeyOld } from '../../client/calls/absence.ts'
import { accountOfRecord, isRecordOfProfile } from '../../cli/account/account-of-record.ts'
import { parseJson } from '../../json/json.ts'
import type { WholeLedger } from '../../client/ledger/ledger.ts'
import { timingOf, OPEN_STATES, hasEnded } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { confirmResend } from './confirm-resend.ts'
import { inspectCommands } from './next-commands.ts'
import type { ResolvedRecord } from './resolve-record.ts'
import { earlierSandboxTest } from '../../cli/command/sandbox-identity.ts'
import { warnAboutDamage } from '../../cli/report/ledger-damage.ts'
import { pluralize, withFullStop, agree } from '../../text/words.ts'
import type { Replay } from '../../api/operation.ts'
import type { ShownResolution } from '../../views/ops/resolution.ts'
import type { DamagedRecord } from '../../client/ledger/entry.ts'

export const command: CommandSpec = {
  path: ['ops', 'resolve'],
  summary: 'Find the outcome of writes in doubt, and finish them',
  details: [
    "Reads the payment first. If it shows the write, nothing is sent: it has reached the state, or has an equal refund or capture that this ledger doesn't know, yours or a colleague's. If it doesn't, the recorded request goes out again with its own idempotency key; a live profile asks first. If the write is older than 23 hours or was sent with another API key, the payment is only read.",
    '',
    'A write that a payment does not show counts as not done once its last attempt is older than its timeout plus five minutes, or plus 30 seconds on a test profile: until then it may still arrive. The clock that gives the lowest age decides.',
    '',
    'To send a write although the payment may show it, use --resend: it asks in person. It also sends a write that was confirmed only because the payment showed an equal one, for up to 23 hours.',
    '',
    'Exit code 0: none of the writes is open. 10: at least one is, such as one that another process is still sending, which is left alone. 6: none is, but a record is damaged and the outcome of its write is unknown.',
  ].join('\n'),
  examples: [
    { purpose: 'resolve everything in doubt', line: 'pay ops resolve --all' },
    { purpose: 'show what that would do', line: 'pay ops resolve --all --dry-run' },
    { purpose: 'resolve one write', line: 'pay ops resolve "$OPERATION"' },
  ],
  args: [{ ...ID_ARGUMENT, optional: true }],
  flags: {
    all: { kind: 'switch', help: 'Resolve all open writes; with --profile, only those of that profile' },
    resend: {
      kind: 'switch',
      help: 'Send it although the payment may show it already; asks in person, and --yes does not answer',
    },
  },
  supportsDryRun: true,
  run,
  risk: 'money',
  asksOnLive: true,
  effect: "May send the same request again with the same idempotency key. You can't undo what it finishes.",
  exitCodes: [
    EXIT.auth,
    EXIT.notFound,
    EXIT.conflict,
    EXIT.notConnected,
    EXIT.outcomeUnknown,
    EXIT.serverFault,
  ],
  related: ['ops list', 'ops show', 'ops abandon'],
}

async function run(invocation: CommandRun, input: CommandInput): Promise<Result> {
  const isAll = switchFlag(input, 'all')
  const id = isAll ? input.args['ID'] : await askOperationId(invocation)
  const profile = readProfileFilter(textFlag(input, 'profile'), switchFlag(input, 'sandbox'))
  if (id === undefined && !isAll)
    throw new UsageError('Missing: an operation ID, or --all', {
      code: 'missing_input',
      next: ['pay ops list --state in-doubt', 'pay ops resolve --all'],
    })
  if (id !== undefined && isAll)
    throw new UsageError('Use either an operation ID or --all, not both', { code: 'given_twice' })
  const resends = switchFlag(input, 'resend')
  if (id === undefined && resends)
    throw new UsageError('--resend is for one write at a time: name its operation ID', {
      code: 'missing_input',
    })
  return id === undefined ? resolveAll(invocation, profile) : resolveOne(invocation, id, resends)
}

async function resolveOne(invocation: Invocation, start: string, resends: boolean): Promise<Result> {
  const ledger = await openLedger(invocation)
  const { record } = await findReadableRecord(ledger, start)
  if (resends && record.endedBy === 'effect' && invocation.settings.mode !== 'dry-run')
    return resultOf(shownResolution(await resendConfirmed(invocation, ledger, record)), resolutionView)
  if (!isOpen(record)) return resultOf(shownResolution(alreadySettled(record)), resolutionView)
  if (invocation.settings.mode === 'dry-run') {
    const [plan] = await planResolutions(invocation, [record])
    if (plan !== undefined) return resultOf(plan, resolutionView)
  }
  const resolved = await createResolver(invocation, ledger, { resends })(record.id)
  if (resolved.record.state === 'in-doubt') throw resolved.problem ?? unresolvedError(resolved)
  return resultOf(shownResolution(resolved), resolutionView)
}

const SENT = 'It was sent again with the same idempotency key, as a write of its own.'
const KNOWN =
  'The service knows its idempotency key, so it had been done: what the payment shows is yours. Nothing more was done.'

/**
 * Sends a write that was confirmed only because the payment showed an equal effect, on a person's decision. The record stays as it
 * is: the request, with its key, is a new write.
 * @throws {PayError} exit 6 if it can't be sent any more
 */
async function resendConfirmed(
  invocation: Invocation,
  ledger: WholeLedger,
  record: StoredRecord,
): Promise<ResolvedRecord> {
  const { context, input } = invocation
  const account =
    ledger.team === undefined
      ? await accountOfRecord(context, record, textFlag(input, 'profile'))
      : await invocation.account()
  if (account.kind === 'sandbox') await invocation.noteSandbox()
  else if (account.apiKey !== undefined) invocation.keepSecret(account.apiKey.value)
  const { OPERATIONS } = await import('../../api/table.ts')
  const operation = OPERATIONS.find(({ id }) => id === record.operation)
  const { first, keySince } = timingOf(record)
  const { request, idempotencyKey } = record
  const apiKeyId =
    account.apiKey && accountOf({ baseUrl: account.baseUrl.value, apiKey: account.apiKey.value })
  if (operation === undefined || request === undefined || idempotencyKey === null)
    throw cannotResend(record, 'the ledger has dropped its request')
  if (apiKeyId !== record.apiKeyId) throw cannotResend(record, 'it was sent with another API key')
  if (isKeyOld({ first, keySince }, context.clocks()))
    throw cannotResend(record, 'its idempotency key is too old, or no clock tells its age')
  const client = await invocation.clientOf(account)
  const { getPayment } = await import('../../api/operations/payment.ts')
  const read = (): Promise<Answer> => client.call({ operation: getPayment, params: request.params })
  const { json: payment } = await read()
  await confirmResend(invocation, { record, account, evidence: 'shown', payment, resends: true })
  invocation.markWritten()
  const { body } = request
  const call: Call = {
    operation,
    params: request.params,
    ...(body === undefined ? {} : { body: { value: parseJson(body), text: body } }),
    idempotencyKey,
    keySince: [first, ...keySince],
    amount: record.amount ?? undefined,
    currencyCode: record.currencyCode ?? undefined,
    reason: record.reason ?? undefined,
    mayRepeat: true,
    ifKeyUsed: async () => ({ payment: await read(), exitCode: EXIT.done, note: KNOWN }),
  }
  const { operationId = '', note } = await client.call(call)
  const found = await ledger.find(operationId)
  return found.kind === 'record'
    ? { record: found.record, explanation: note ?? SENT, problem: undefined }
    : { record, explanation: note ?? SENT, problem: undefined }
}

const cannotResend = (record: StoredRecord, why: string): PayError =>
  new PayError(
    'not_open',
    EXIT.conflict,
    `Nothing was sent: ${describeOperation(record)} can't be sent again, since ${why}`,
    {
      operation: record.operation,
      operationId: record.id,
      outcome: 'none',
      retryable: false,
      hint: 'To make a new write, run the command again.',
      next: inspectCommands(record),
    },
  )

/** Resolves all open records, oldest first, one at a time, so that each outcome is recorded before the next is sent. */
async function resolveAll(invocation: Invocation, profile: string | undefined): Promise<Result> {
  const { context, settings } = invocation
  const ledger = await openLedger(invocation)
  const isDryRun = settings.mode === 'dry-run'
  const listing = await ledger.list({ states: OPEN_STATES, checksEnded: true })
  await warnAboutDamage(invocation, listing)
  const isEarlier = await earlierSandboxTest(context)
  const current = listing.records.filter((record) => !isEarlier(record))
  const records = current
    .filter(
      (record) =>
        profile === undefined || ledger.team !== undefined || isRecordOfProfile(context, record, profile),
    )
    .toReversed()
  const skippedCount = current.length - records.length
  if (skippedCount > 0)
    await invocation.warn(`Left alone: ${pluralize(skippedCount, 'open write')} of other profiles.`)
  if (isDryRun)
    return resultOf(await planResolutions(invocation, records), resolutionsView('Nothing is in doubt.'))
  const resolveRecord = createResolver(invocation, ledger)
  const results: ResolvedRecord[] = []
  for (const record of records) {
    results.push(
      context.interruption.stop.aborted
        ? { record, explanation: 'Interrupted before it was checked.', problem: undefined }
        : await resolveOrReport(record, resolveRecord),
    )
  }
  const problem = unresolvedSummaryError(results, listing.damage.records)
  return {
    ...resultOf(
      results.map(shownResolution),
      resolutionsView(describeNoResults(listing.damage.records)),
      problem?.exitCode ?? EXIT.done,
    ),
    ...(problem === undefined ? {} : { problem }),
  }
}

const describeNoResults = (damaged: readonly unknown[]): string =>
  damaged.length > 0 ? 'No readable record is in doubt.' : 'Nothing is in doubt.'

/** Reports an error as the record's result, so that the other records are still resolved. */
async function resolveOrReport(
  record: StoredRecord,
  resolveRecord: (id: string) => Promise<ResolvedRecord>,
): Promise<ResolvedRecord> {
  try {
    return await resolveRecord(record.id)
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return { record, explanation: withFullStop(error.message), problem: error }
  }
}

/** What `ops resolve --dry-run` would do about each record. Sends nothing and changes nothing. */
async function planResolutions(
  invocation: Invocation,
  records: readonly StoredRecord[],
): Promise<readonly ShownResolution[]> {
  const { OPERATIONS } = await import('../../api/table.ts')
  if (records.length > 0) await invocation.note('Nothing was sent.')
  const plans = records.map(async (record) => {
    const row = OPERATIONS.find(({ id }) => id === record.operation)
    const plan =
      record.state === 'sending'
        ? 'Would leave it alone: a process is still sending it.'
        : ((await describeObstacle(invocation, record)) ?? describePlan(record, row?.replay))
    return shownResolution({ record, explanation: plan, problem: undefined })
  })
  return Promise.all(plans)
}

async function describeObstacle(
  { context, input }: Invocation,
  record: StoredRecord,
): Promise<string | undefined> {
  try {
    // Of a team's ledger, the account in use is.
    if (record.leaseUntil === undefined) await accountOfRecord(context, record, textFlag(input, 'profile'))
    return undefined
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    return `Could not check it: ${error.message}.`
  }
}

function describePlan({ mode, request }: StoredRecord, replay: Replay | undefined): string {
  const condition = mode === 'live' ? ', if you confirm' : ''
  switch (replay) {
    case 'keyed':
      return request === undefined
        ? "Would read the order's payments and send nothing again."
        : `Would read the payment and, unless it shows the write, send the same request again with the same key${condition}.`
    case 'compare':
      return `Would read the payment and send the same request again only if the payment is unchanged${condition}.`
    case 'look':
      return 'Would read the payment and send nothing again.'
    case 'safe':
    case 'never':
    case undefined:
      return 'Nothing can be read or sent for it: check it yourself.'
  }
}

/** The error for one record that stays in doubt. */
const unresolvedError = ({ record, explanation }: ResolvedRecord): PayError =>
  new PayError('outcome_unknown', EXIT.outcomeUnknown, `Still in doubt: ${describeOperation(record)}`, {
    operation: record.operation,
    operationId: record.id,
    idempotencyKey: record.idempotencyKey ?? undefined,
    outcome: 'unknown',
    retryable: true,
    hint: explanation,
    next: [...inspectCommands(record), `pay ops show ${record.id}`, `pay ops abandon ${record.id}`],
  })

/** The error for a run over several records, or undefined if none is open or damaged. */
function unresolvedSummaryError(
  all: readonly ResolvedRecord[],
  damaged: readonly DamagedRecord[],
): PayError | undefined {
  const open = all.filter(({ record }) => !hasEnded(record))
  const isSending = open.some(({ record }) => record.state === 'sending')
  const unreadable = damaged.length
  if (open.length === 0) return unreadable === 0 ? undefined : damagedError(damaged)
  const counts = [
    `${open.length} of ${all.length} ${agree(open.length, 'is', 'are')} still ${isSending ? 'open' : 'in doubt'}`,
    ...(unreadable === 0 ? [] : [`${pluralize(unreadable, 'is', 'are')} damaged`]),
  ].join(', ')
  const problems = open.flatMap(({ problem }) => (problem === undefined ? [] : [problem]))
  return new PayError('outcome_unknown', EXIT.outcomeUnknown, `Some outcomes are unknown: ${counts}`, {
    outcome: 'unknown',
    retryable: true,
    hint:
      problems.find(({ details }) => details.hint !== undefined)?.details.hint ??
      'The lines above say what to check for each. Once you know the outcome, run pay ops abandon.',
    next: [
      `pay ops list --state in-doubt${isSending ? ',sending' : ''}`,
      ...open.slice(0, 1).map(({ record }) => `pay ops show ${record.id}`),
      ...damaged.slice(0, 1).map(({ id }) => `pay ops abandon ${id}`),
    ],
  })
}

/** Not retryable: a damaged record stays damaged, so a person must check. */
const damagedError = (damaged: readonly DamagedRecord[]): PayError =>
  new PayError(
    'ledger_damaged',
    EXIT.conflict,
    `Some outcomes are unknown: ${damaged.map(({ id }) => id).join(', ')} ${agree(damaged.length, 'is', 'are')} damaged`,
    {
      outcome: 'unknown',
      retryable: false,
      hint: 'These writes may have been done: check the service, then set the records aside with pay ops abandon.',
      next: damaged.map(({ id }) => `pay ops abandon ${id}`),
    },
  )
