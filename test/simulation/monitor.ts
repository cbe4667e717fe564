import { parseRecord } from '../../src/ledger/files/record-text.ts'
import type { StoredRecord } from '../../src/ledger/files/record.ts'
import type { HttpRequest } from '../../src/http/transport-port.ts'
import type { Handled } from './service.ts'
import { DONE, endedUnrecorded, isEqual } from './command.ts'
import type { Command, Report } from './command.ts'
import type { Plan } from './plan.ts'
import type { SimulatedDisk } from './simulated-disk.ts'
import { InvariantViolation } from './invariant-violation.ts'

export const LEDGER = '/state/ledger'

/** pay refuses an equal write within ten minutes of a confirmed one; one minute less, because time passes in between. */
const REPEAT_REFUSED_MS = 9 * 60 * 1000

/**
 * The invariants that hold at every moment: checked before each write leaves its process, and before each command reports
 * how it ended. verdicts.ts has those that hold at the end.
 */
export class Monitor {
  readonly commands: Command[] = []
  /** What another client has changed, by target. */
  readonly otherClientChanges = new Map<string, Plan[]>()
  /** The clocks of machine and service differ by so much that dates prove nothing. */
  readonly isClockWrong: boolean
  readonly #disk: SimulatedDisk
  readonly #now: () => number

  constructor(
    disk: SimulatedDisk,
    { now, isClockWrong }: { readonly now: () => number; readonly isClockWrong: boolean },
  ) {
    this.#disk = disk
    this.#now = now
    this.isClockWrong = isClockWrong
  }

  /** The command that began a ledger record. */
  commandOf(recordId: string): Command {
    const command = this.commands.find(({ recordIds }) => recordIds.includes(recordId))
    if (command === undefined)
      throw new InvariantViolation('Every ledger record belongs to a command.', recordId)
    return command
  }

  /** Checks a write before it leaves its process. */
  beforeSend(command: Command, request: HttpRequest): void {
    this.#hasDurableIntent(command, request)
    this.#isIdenticalToFirstAttempt(command, request)
    this.#isAloneOnItsTarget(command)
    this.#isNoUnconfirmedRepeat(command)
    command.sent.push({
      key: request.headers['x-idempotency-key'],
      body: request.body,
      method: request.method,
      atMs: this.#now(),
    })
  }

  /** Whether a later command has already set the value that this one sets. */
  isOvertaken(command: Command): boolean {
    if (command.plan.operation.replay !== 'compare') return false
    const later = this.commands.slice(this.commands.indexOf(command) + 1)
    return later.some(({ target, sent }) => target === command.target && sent.length > 0)
  }

  /** Counts what the service performed. */
  afterArrival(command: Command, { isApplied }: Handled, hasChanged: boolean): void {
    if (!isApplied) return
    command.applied += 1
    if (hasChanged) command.changed += 1
  }

  /** Checks what a command reports when it ends. */
  onReport(command: Command, report: Report): void {
    command.reported = report
    const { exitCode } = report
    const evidence = `${command.name} reports exit code ${exitCode}`
    if (exitCode === 1) throw new InvariantViolation('No command ends with an internal error.', evidence)
    if (command.sent.length === 0 && exitCode !== 10) return
    command.sentUnderId ??= report.operationId
    if (command.wasDiskFull) return
    const id = command.sentUnderId
    const ended = this.#durableEnds().find((record) => record.id === id)
    if (exitCode === 10) {
      if (ended === undefined && this.#durableOpen().some((record) => record.id === id)) return
      throw new InvariantViolation(
        'A write reported as unknown (exit 10) is durably open in the ledger.',
        evidence,
      )
    }
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
    const ended = this.#durableEnds().find(({ id }) => id === recordId)
    if (state !== 'in-doubt' && ended?.state !== state && !command.wasDiskFull)
      throw new InvariantViolation(
        'An outcome is durably recorded before it is reported.',
        `${command.name} is reported as ${state}`,
      )
  }

  /** Every outcome in the ledger's history, as processes read it. */
  ends(): readonly StoredRecord[] {
    return this.#disk
      .names(LEDGER)
      .filter(isHistory)
      .flatMap((name) => recordsIn(this.#disk.text(`${LEDGER}/${name}`) ?? ''))
  }

  /** The outcomes that a power cut at this moment would leave. */
  #durableEnds(): readonly StoredRecord[] {
    return [...this.#disk.certain(LEDGER)].flatMap(([name, text]) => (isHistory(name) ? recordsIn(text) : []))
  }

  /** The open records that a power cut at this moment would leave. */
  #durableOpen(): readonly StoredRecord[] {
    return [...this.#disk.certain(`${LEDGER}/open`)].flatMap(([name, text]) =>
      name.endsWith('.json') ? recordsIn(text) : [],
    )
  }

  #hasDurableIntent(command: Command, request: HttpRequest): void {
    const open = this.#durableOpen()
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

  #isIdenticalToFirstAttempt(command: Command, request: HttpRequest): void {
    const { operation } = command.plan
    if (request.method !== operation.method) return
    const first = command.sent[0]
    const key = request.headers['x-idempotency-key']
    if (first === undefined || (first.key === key && first.body === request.body)) return
    throw new InvariantViolation(
      'Every attempt of a write has the same key and the same body.',
      `${command.name} first sent ${first.key} ${first.body}, then ${key} ${request.body}`,
    )
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

const isHistory = (name: string): boolean => name.startsWith('history-')

/** The same lines are read at every check. */
const parsedLines = new Map<string, readonly StoredRecord[]>()

export const recordsIn = (text: string): readonly StoredRecord[] =>
  text.split('\n').flatMap((line) => {
    const parsed = parsedLines.get(line)
    if (parsed !== undefined) return parsed
    if (parsedLines.size > 200) parsedLines.clear()
    const record = parseRecord(line)
    const records = record === undefined ? [] : [record]
    parsedLines.set(line, records)
    return records
  })
