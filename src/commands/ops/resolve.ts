import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandRun, CommandSpec } from '../../cli/command/spec.ts'
import { EXIT, UsageError, PayError, LimitError } from '../../errors.ts'
import { resolutionView, resolutionsView } from '../../views/ops/resolution.ts'
import { isOpen, describeOperation, formatTarget } from '../../views/ops/state.ts'
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
import { timingOf, OPEN_STATES, hasEnded, published } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { inspectCommands, nextCommands } from './record-details.ts'
import { earlierSandboxTest } from '../../cli/command/sandbox-identity.ts'
import { warnAboutDamage } from '../../cli/report/ledger-damage.ts'
import { pluralize, withFullStop, agree } from '../../text/words.ts'
import type { Replay } from '../../api/operation.ts'
import type { ShownResolution } from '../../views/ops/resolution.ts'
import type { DamagedRecord } from '../../client/ledger/entry.ts'
import { resolveOpen } from '../../cli/resolve-open.ts'
import type { SendFacts } from '../../cli/resolve-open.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import { adviceForRefusedKey } from '../../cli/report/next-steps.ts'
import { flagWord, shellWord } from '../../files/shell.ts'
import { factsOf } from '../../api/facts.ts'
import { checkLimits } from '../../client/config/limits.ts'
import { textAt } from '../../json/fields.ts'
import { formatMoney } from '../../money/format.ts'
import { askConfirmation } from '../ask-confirmation.ts'

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
  unchanged: 'this command changed nothing; what is in doubt stays in doubt',
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
  const resends = switchFlag(input, 'resend')
  const id = isAll ? input.args['ID'] : await askOperationId(invocation)
  const profile = readProfileFilter(textFlag(input, 'profile'), switchFlag(input, 'sandbox'))
  if (id === undefined && resends)
    throw new UsageError('--resend is for one write at a time: name its operation ID', {
      code: 'missing_input',
      next: ['pay ops list --state in-doubt'],
    })
  if (id === undefined && !isAll)
    throw new UsageError('Missing: an operation ID, or --all', {
      code: 'missing_input',
      next: ['pay ops list --state in-doubt', 'pay ops resolve --all'],
    })
  if (id !== undefined && isAll)
    throw new UsageError('Use either an operation ID or --all, not both', { code: 'given_twice' })
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
  const records: StoredRecord[] = []
  for (const record of current.toReversed())
    if (
      profile === undefined ||
      ledger.team !== undefined ||
      (await isRecordOfProfile(context, record, profile))
    )
      records.push(record)
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
  stillInDoubt(record, explanation, [
    ...inspectCommands(record),
    `pay ops show ${shellWord(record.id)}`,
    `pay ops abandon ${shellWord(record.id)}`,
  ])

const stillInDoubt = (record: StoredRecord, hint: string, next: readonly string[]): PayError =>
  new PayError('outcome_unknown', EXIT.outcomeUnknown, `Still in doubt: ${describeOperation(record)}`, {
    operation: record.operation,
    operationId: record.id,
    idempotencyKey: record.idempotencyKey ?? undefined,
    outcome: 'unknown',
    retryable: true,
    hint,
    next,
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
      ...open.slice(0, 1).map(({ record }) => `pay ops show ${shellWord(record.id)}`),
      ...damaged.slice(0, 1).map(({ id }) => `pay ops abandon ${shellWord(id)}`),
    ],
  })
}

/** The error for damaged records. Not retryable: they stay damaged, so a person must check. */
const damagedError = (damaged: readonly DamagedRecord[]): PayError =>
  new PayError(
    'ledger_damaged',
    EXIT.conflict,
    `Some outcomes are unknown: ${damaged.map(({ id }) => id).join(', ')} ${agree(damaged.length, 'is', 'are')} damaged`,
    {
      outcome: 'unknown',
      retryable: false,
      hint: 'These writes may have been done: check the service, then set the records aside with pay ops abandon.',
      next: damaged.map(({ id }) => `pay ops abandon ${shellWord(id)}`),
    },
  )

interface ResolvedRecord {
  readonly record: StoredRecord
  readonly explanation: string
  /** Why nothing could be sent or read, if that is why the record is still in doubt. */
  readonly problem: PayError | undefined
}

type Client = Awaited<ReturnType<Invocation['clientOf']>>

/** Returns a function that resolves one record by its ID, with the account it was sent with. Reuses one client per account. */
function createResolver(invocation: Invocation, ledger: WholeLedger, { resends = false } = {}) {
  const clients = new Map<string, Promise<Client>>()
  const profileFlag = textFlag(invocation.input, 'profile')

  function clientOf(record: StoredRecord, account: Account): Promise<Client> {
    const name = JSON.stringify([record.account, account.baseUrl.value, account.profile?.value])
    const existing = clients.get(name)
    if (existing !== undefined) return existing
    const client = open(account)
    clients.set(name, client)
    return client
  }

  async function open(account: Account): Promise<Client> {
    if (account.kind === 'sandbox') await invocation.note('embedded sandbox: no real money')
    else if (account.apiKey !== undefined) invocation.keepSecret(account.apiKey.value)
    return invocation.clientOf(account)
  }

  return async (id: string): Promise<ResolvedRecord> => {
    let sent: { readonly record: StoredRecord; readonly account: Account } | undefined
    let problem: PayError | undefined
    const clientFor = async (record: StoredRecord) => {
      // A colleague's profile isn't here: what this one's key may do decides.
      const account =
        ledger.team === undefined
          ? await accountOfRecord(invocation.context, record, profileFlag)
          : await invocation.account()
      sent = { record, account }
      return clientOf(record, account)
    }
    const confirmSend = async (facts: SendFacts) => {
      if (sent === undefined) return false
      try {
        return await confirmResend(invocation, { ...sent, ...facts, resends })
      } catch (error) {
        if (error instanceof PayError) problem = error
        throw error
      }
    }
    try {
      const { record, resolution } = await resolveOpen(ledger, id, clientFor, {
        confirmSend,
        resends,
        timeoutMs: invocation.settings.timeoutMs,
      })
      if (resolution.kind === 'in-doubt' && resolution.isKeyRefused === true && sent !== undefined)
        problem = keyRefused(sent, resolution.words)
      return record.state === resolution.kind
        ? { record, explanation: resolution.words, problem }
        : alreadySettled(record)
    } catch (error) {
      // Another process may have resolved it first.
      const isSettled = error instanceof PayError && error.code === 'no_such_operation'
      const found = isSettled ? await ledger.find(id) : undefined
      if (found?.kind !== 'record') throw error
      return alreadySettled(found.record)
    }
  }
}

/** The error for a refused key. Every other command needs the key as well, so this one names where to give it. */
function keyRefused(
  { record, account }: { readonly record: StoredRecord; readonly account: Account },
  words: string,
): PayError {
  const flags = account.profile === undefined ? '' : ` ${flagWord('profile', account.profile.value)}`
  const { hint = '', next = [] } = adviceForRefusedKey(account, flags)
  return stillInDoubt(record, `${words} ${hint} Give a valid key of the same account, then resolve again.`, [
    ...next.filter((line) => !line.endsWith('whoami')),
    `pay ops resolve ${shellWord(record.id)}`,
  ])
}

const shownResolution = ({ record, explanation }: ResolvedRecord): ShownResolution => ({
  ...published(record),
  resolution: explanation,
  next: nextCommands(record, { isResolved: true }),
})

/** The result for a record that is not open: the note stored with it explains the outcome. */
const alreadySettled = (record: StoredRecord): ResolvedRecord => ({
  record,
  explanation: record.note ?? STATE_TEXTS[record.state],
  problem: undefined,
})

const STATE_TEXTS: Readonly<Record<StoredRecord['state'], string>> = {
  sending: 'It is being sent.',
  'in-doubt': 'It is in doubt.',
  confirmed: 'It is not in doubt: the service confirmed it.',
  rejected: 'It is not in doubt: it was not done.',
  abandoned: 'It was abandoned.',
}

/**
 * Checks the profile's limits and asks whether to send a write again: on a live profile, and, only in person, if a person wants it
 * sent although the payment may show it.
 * @throws {PayError} with the reason, if it may not be sent
 */
async function confirmResend(
  invocation: Invocation,
  {
    record: stored,
    account,
    evidence,
    payment,
    resends,
  }: SendFacts & { readonly record: StoredRecord; readonly account: Account; readonly resends: boolean },
): Promise<true | 'asked'> {
  const currencyCode = stored.currencyCode ?? textAt(payment, 'currencyCode') ?? null
  const record = { ...stored, currencyCode }
  enforceLimits(record, account)
  const isLive = account.mode.value === 'live' || record.mode === 'live'
  const isAsked = isLive || invocation.context.isDesk === true
  const mayBeThere = resends && (evidence === 'shown' || evidence === 'unclear')
  if (!mayBeThere && (invocation.settings.assumesYes || !isAsked)) return true
  const what = describeOperation(record)
  const name = account.profile?.value ?? account.baseUrl.value
  const facts = { operation: record.operation, operationId: record.id, outcome: 'unknown' } as const
  const evidenceText = invocation.hideSecrets(describeEvidence(record, evidence))
  if (!invocation.isInteractive && mayBeThere)
    throw new UsageError(
      `The payment may show ${what} already, so only a person at a terminal can send it anyway`,
      { code: 'confirmation_needed', ...facts, hint: evidenceText },
    )
  if (!invocation.isInteractive)
    throw new UsageError(
      `To find the outcome, pay must send ${what} again on the live profile "${name}", which needs --yes when pay cannot ask`,
      { code: 'confirmation_needed', ...facts, hint: `${evidenceText} Add --yes to send it.` },
    )
  const where = isLive ? ` on LIVE profile ${name}` : ''
  await askConfirmation(invocation, `${evidenceText} Send it again${where}?`, {
    ifDeclined: 'nothing was sent',
    ...facts,
  })
  return 'asked'
}

/** `refund` as a noun and as a verb. */
function wordsOf(operation: string): { readonly noun: string; readonly verb: string } {
  const words = factsOf(operation)?.words
  return words == null
    ? { noun: operation, verb: 'do it' }
    : { noun: words.deed.replace(/^an? /, ''), verb: words.verb }
}

/** What the payment shows, and what sending the write again may do. */
function describeEvidence(record: StoredRecord, evidence: SendFacts['evidence']): string {
  const { operation, amount, currencyCode, target } = record
  const { noun, verb } = wordsOf(operation)
  const ofMoney = amount === null ? '' : ` of ${formatMoney(amount, currencyCode ?? undefined)}`
  const payment = target === null ? 'the payment' : `payment ${formatTarget(target)}`
  const again = `Sending it again uses the same key: if the service knows it, that does nothing.`
  switch (evidence) {
    case 'absent':
      return record.idempotencyKey === null
        ? `The ${noun}${ofMoney} is not on ${payment}, which is as it was before.`
        : `The ${noun}${ofMoney} is not on ${payment}. ${again}`
    case 'hidden':
      return `Whether the ${noun}${ofMoney} is on ${payment} can't be seen. ${again}`
    case 'shown':
    case 'unclear':
      return `An equal ${noun}${ofMoney} is on ${payment}: this one, or a colleague's. Sending this one as well may ${verb} twice.`
  }
}

function enforceLimits(record: StoredRecord, { limits, profile }: Account): void {
  const verdict = checkLimits(limits, profile?.value ?? '', {
    operationId: record.operation,
    risk: 'money',
    formatMoney,
    isFinalCheck: true,
    amount: { amountMinor: record.amount ?? undefined, currencyCode: record.currencyCode ?? undefined },
  })
  if (verdict instanceof LimitError) throw verdict
}
