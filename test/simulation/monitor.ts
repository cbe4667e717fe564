import type { StoredRecord } from '../../src/client/ledger/record.ts'
import type { HttpRequest } from '../../src/client/http/transport-port.ts'
import type { Handled } from './service.ts'
import { DONE, endedUnrecorded, isEqual, isOverruled } from './command.ts'
import type { Command, Report } from './command.ts'
import { ARRIVAL_MS, TIMEOUT_MS } from './conditions.ts'
import type { Conditions } from './conditions.ts'
import type { Plan } from './plan.ts'
import type { SimulatedLedger } from './ledger/simulated-ledger.ts'
import { checkRequest } from './check-request.ts'
import { refundsIn, serviceDate } from './service.ts'
import { InvariantViolation } from './invariant-violation.ts'

/** pay refuses an equal write within ten minutes of a confirmed one; less, because both may stand still in between. */
const REPEAT_REFUSED_MS = 7 * 60 * 1000

/** pay does not send an older key again: the service may have forgotten it. A minute more, because time passes in between. */
const KEY_LIFETIME_MS = (23 * 60 + 1) * 60 * 1000

/** A little less than ten minutes, by which an equal refund counts as the same one. */
const LOOKED_BACK_MS = 9.9 * 60 * 1000

/**
 * Whether only a clock that was set can tell how old a write is: it was sent in another boot or time namespace, and no answer of
 * the service came before it, or the service's clock was set too.
 */
export const isUnknowable = (
  { first }: StoredRecord,
  boot: string | undefined,
  { isClockSet, isServiceSet }: Pick<Monitor, 'isClockSet' | 'isServiceSet'>,
): boolean => isClockSet && (isServiceSet || first?.serviceMs === undefined) && first?.boot !== boot

/** A write of a client that does not use pay. */
export interface OtherClientWrite {
  readonly plan: Plan
  readonly target: string
  readonly amount: number
  /** When the service performed it, by its clock. */
  readonly servedAtMs: number
}

/**
 * The invariants that hold at every moment: checked before each write leaves its process, and before each command reports
 * how it ended. verdicts.ts has those that hold at the end.
 */
export class Monitor {
  readonly commands: Command[] = []
  readonly otherClientWrites: OtherClientWrite[] = []
  /** The clocks of machine and service differ by so much that dates prove nothing. */
  readonly isClockWrong: boolean
  /** The commands that were sent again although the service may have forgotten their key, which no clock could tell. */
  readonly unknowablyOld = new Set<string>()
  /** The service's clock may be set: its dates tell no order. */
  readonly isServiceSet: boolean
  /** A clock was set, or drifts. */
  readonly isClockSet: boolean
  /** Reads come from a replica that lags. */
  readonly isLagging: boolean
  readonly #ledger: SimulatedLedger
  readonly #now: () => number
  readonly #conditions: Conditions

  constructor(
    ledger: SimulatedLedger,
    {
      now,
      isClockWrong,
      conditions,
    }: { readonly now: () => number; readonly isClockWrong: boolean; readonly conditions: Conditions },
  ) {
    this.#ledger = ledger
    this.#conditions = conditions
    this.#now = now
    this.isClockWrong = isClockWrong
    this.isLagging = conditions.lagMs > 0
    this.isServiceSet = conditions.serviceStepRate > 0
    this.isClockSet = conditions.clockStepRate > 0 || conditions.clockDrift !== 0 || this.isServiceSet
  }

  /** The command that began a ledger record. */
  commandOf(recordId: string): Command {
    const command = this.commands.find(({ recordIds }) => recordIds.includes(recordId))
    if (command === undefined)
      throw new InvariantViolation('Every ledger record belongs to a command.', recordId)
    return command
  }

  /** Checks a write before it leaves its process. `why`: why it must not, by what that process has read. */
  beforeSend(command: Command, request: HttpRequest, { why }: { readonly why: string | undefined }): void {
    checkRequest(command, request)
    this.#hasDurableIntent(command, request)
    const isFirst = command.sent.length === 0
    const mustRead = isFirst ? command.call.countsOthers !== undefined : why !== 'the payment was not read'
    if (mustRead && why !== undefined && command.sentUnderId === command.recordId)
      throw new InvariantViolation(
        'Nothing is sent after a read that shows it.',
        `${command.name} sends ${request.method} ${request.url}, but ${why}`,
      )
    this.#isKeyRemembered(command)
    this.#isAloneOnItsTarget(command)
    this.#isNoUnconfirmedRepeat(command)
    command.sent.push({
      key: request.headers['x-idempotency-key'],
      body: request.body,
      method: request.method,
      atMs: this.#now(),
    })
  }

  /**
   * Why a command must not send its write, given a reading of the payment: it shows an equal effect that this ledger doesn't know,
   * since the first attempt, or, before that, of the last ten minutes.
   */
  whyNotSent(command: Command, body: string): string | undefined {
    const { plan, call, target } = command
    if (plan.operation.id === 'payment.cancel')
      return command.sent.length > 0 && body.includes('"status":"CANCELLED"') ? 'it is cancelled' : undefined
    // If the service's clock was set, its dates don't tell which refund is new.
    if (plan.operation.id !== 'payment.refund' || target === undefined || this.isServiceSet) return undefined
    const { skewMs } = this.#conditions
    const [first] = command.sent
    const sinceMs = first === undefined ? this.#now() - LOOKED_BACK_MS : first.atMs
    const since = serviceDate(sinceMs + skewMs)
    const noted = this.#ledger.records.flatMap(({ effectAt }) => (effectAt === undefined ? [] : [effectAt]))
    const own = this.commands.filter(
      (one) =>
        one.target === target &&
        one !== command &&
        this.#ledger.ends.some(({ id, state }) => id === one.sentUnderId && state === 'confirmed'),
    )
    const known = [...noted, ...own.map(({ appliedAtMs }) => serviceDate(appliedAtMs))]
    const shown = refundsIn(body).find(
      ({ date, amount }) =>
        date > since && !known.includes(date) && call.amount !== undefined && amount === call.amount,
    )
    return shown === undefined ? undefined : `the payment shows an equal refund of ${shown.date}`
  }

  /** Whether a later command has already set the value that this one sets. */
  isOvertaken(command: Command): boolean {
    if (command.plan.operation.replay !== 'compare') return false
    const later = this.commands.slice(this.commands.indexOf(command) + 1)
    return later.some(({ target, sent }) => target === command.target && sent.length > 0)
  }

  /** Counts what the service performed. */
  afterArrival(command: Command, { isApplied, date }: Handled, hasChanged: boolean): void {
    if (!isApplied) return
    command.applied += 1
    command.appliedAtMs = date.getTime()
    if (hasChanged) command.changed += 1
  }

  /** Checks what a command reports when it ends. */
  onReport(command: Command, report: Report): void {
    command.reported = report
    const { exitCode } = report
    const evidence = `${command.name} reports exit code ${exitCode}`
    if (report.code?.startsWith('ledger_damaged') === true)
      throw new InvariantViolation('Nothing damages the ledger.', `${evidence}: ${report.code}`)
    if (exitCode === 1) throw new InvariantViolation('No command ends with an internal error.', evidence)
    if (command.sent.length === 0 && exitCode !== 10) return
    command.sentUnderId ??= report.operationId
    if (command.wasDiskFull) return
    const id = command.sentUnderId
    const ended = this.#ledger.ends.find((record) => record.id === id)
    if (exitCode === 10) {
      if (ended === undefined && this.#ledger.open.some((record) => record.id === id)) return
      // It has lost its lease, and a colleague has ended the write.
      if (ended !== undefined && this.#conditions.isTeam) return
      // A person has ended it in the moment before the report.
      if (ended?.state === 'abandoned') return
      throw new InvariantViolation(
        'A write reported as unknown (exit 10) is durably open in the ledger.',
        evidence,
      )
    }
    // It has lost its lease and says so: a colleague has ended the write, or has it.
    if (this.#conditions.isTeam && isOverruled(report.code)) return
    const expected = DONE.includes(exitCode) ? 'confirmed' : 'rejected'
    if (ended?.state !== expected)
      throw new InvariantViolation(
        'An outcome is durably recorded before it is reported.',
        `${evidence}, but after a power cut now the ledger would have ${ended?.state ?? 'no outcome'}`,
      )
    if (ended.exitCode !== exitCode && command.sentUnderId === command.recordId)
      throw new InvariantViolation(
        'The ledger records the exit code that was reported.',
        `${evidence}, but the ledger has ${ended.exitCode}`,
      )
  }

  /** Checks what `pay ops resolve` reports about a write. */
  onResolved(command: Command, recordId: string, state: string): void {
    const ended = this.#ledger.ends.find(({ id }) => id === recordId)
    const agoMs = this.#now() - command.doubtfulAtMs
    const leastMs = TIMEOUT_MS + ARRIVAL_MS[this.#conditions.mode] - 1_000
    if (ended?.endedBy === 'absence' && agoMs < leastMs && !isUnknowable(ended, ended.end?.boot, this))
      throw new InvariantViolation(
        'Nothing counts as not done while it may arrive.',
        `${command.name} was last sent without an answer ${agoMs} ms ago`,
      )
    if (state !== 'in-doubt' && ended?.state !== state && !command.wasDiskFull)
      throw new InvariantViolation(
        'An outcome is durably recorded before it is reported.',
        `${command.name} is reported as ${state}`,
      )
  }

  /** Every outcome in the ledger. */
  ends(): readonly StoredRecord[] {
    return this.#ledger.ends
  }

  /** Attempts that the service has refused to process use up no key. */
  #isKeyRemembered({ name, plan, sent, wasInDoubt, sentUnderId }: Command): void {
    const firstMs = sent[0]?.atMs ?? this.#now()
    if (plan.operation.replay !== 'keyed' || !wasInDoubt || this.#now() - firstMs <= KEY_LIFETIME_MS) return
    const record = this.#ledger.records.find(({ id }) => id === sentUnderId)
    if (record !== undefined && isUnknowable(record, record.last?.boot, this)) {
      this.unknowablyOld.add(name)
      return
    }
    throw new InvariantViolation(
      'A write is not sent again with a key that the service may have forgotten.',
      `${name} was first sent ${Math.round((this.#now() - firstMs) / 60_000)} minutes ago`,
    )
  }

  #hasDurableIntent(command: Command, request: HttpRequest): void {
    const open = this.#ledger.open
    const own = open.find(({ id }) => id === command.recordId)
    const isSafe = command.plan.operation.replay === 'safe'
    // A command that is safe to repeat continues under the open record of an equal one.
    const record = own ?? (isSafe ? open.find(({ id }) => isEqual(this.commandOf(id), command)) : undefined)
    const evidence = `${command.name} sends ${request.method} ${request.url}`
    if (record === undefined)
      throw new InvariantViolation('No write is sent before its intent is durable.', evidence)
    if (this.ends().some(({ id }) => id === record.id))
      throw new InvariantViolation('No write is sent for an intent that has ended.', evidence)
    const key = request.headers['x-idempotency-key'] ?? null
    if (key !== record.idempotencyKey && command.plan.operation.idempotencyKey)
      throw new InvariantViolation(
        'A write is sent with the recorded idempotency key.',
        `${evidence} with ${key}, but ${record.idempotencyKey} is recorded`,
      )
    if (record.request !== undefined && record.request.body !== request.body)
      throw new InvariantViolation(
        'A write is sent with the recorded body.',
        `${evidence} with ${request.body}, but ${record.request.body} is recorded`,
      )
    command.sentUnderId = record.id
  }

  #isAloneOnItsTarget(command: Command): void {
    if (command.target === undefined) return
    const ended = new Set(this.ends().map(({ id }) => id))
    for (const other of this.commands) {
      if (other === command || other.target !== command.target) continue
      if (other.sent.length === 0 || other.sentUnderId === undefined || ended.has(other.sentUnderId)) continue
      if (other.sentUnderId === command.sentUnderId || endedUnrecorded(other)) continue
      throw new InvariantViolation(
        'No write is sent while another write on the same target is open.',
        `${command.name} is sent, but ${other.name} has not ended`,
      )
    }
  }

  #isNoUnconfirmedRepeat(command: Command): void {
    const { mayRepeat, ticket } = command.call
    // A ticket says which writes are the same.
    // By a clock that was set, the other one may be long ago.
    if (this.isClockSet) return
    if (mayRepeat === true || ticket !== undefined || command.target === undefined || command.sent.length > 0)
      return
    // A resolve sends a killed command without asking whether it is a repeat: the person wanted it, and nothing refused it.
    // A command may also resolve an equal one whose outcome is unknown.
    if (command.wasKilled || command.sentUnderId !== command.recordId) return
    const since = this.#now() - REPEAT_REFUSED_MS
    for (const other of this.commands)
      if (
        other !== command &&
        other.reported?.exitCode === 0 &&
        other.reported.atMs > since &&
        isEqual(other, command)
      )
        throw new InvariantViolation(
          'A write equal to one of the last few minutes is not sent without --again.',
          `${command.name} is sent, but ${other.name} was done`,
        )
  }
}
