import { parseRecord } from '../../src/ledger/files/record.ts'
import type { StoredRecord } from '../../src/ledger/files/record.ts'
import type { HttpRequest } from '../../src/http/transport-port.ts'
import type { Arrival } from './service.ts'
import { isEqual, wasDropped } from './command.ts'
import type { Command, Told } from './command.ts'
import type { Plan } from './workloads.ts'
import type { SimulatedDisk } from './simulated-disk.ts'
import { Violation } from './invariant-violation.ts'

export const LEDGER = '/state/ledger'

/** A write equal to one that was confirmed is refused for ten minutes; a minute less, for what passes meanwhile. */
const SURELY_REPEATED_MS = 9 * 60 * 1000

/** Looks on while things happen: at what is sent, what the service does, and what is told. */
export class Watch {
  readonly commands: Command[] = []
  /** What somebody else has changed, by target. */
  readonly meddled = new Map<string, Plan[]>()
  /** So far from the service's that its dates may tell nothing. */
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

  /** The command that a record is of. */
  of(recordId: string): Command {
    const command = this.commands.find(({ recordIds }) => recordIds.includes(recordId))
    if (command === undefined) throw new Violation('Every record is of a command.', recordId)
    return command
  }

  /** Right before a write reaches the service or the way to it. */
  sends(command: Command, request: HttpRequest): void {
    this.#hasDurableIntent(command, request)
    this.#isTheSameEachTime(command, request)
    this.#isAloneOnItsTarget(command)
    this.#isNoUnwantedRepeat(command)
    command.sent.push({
      key: request.headers['x-idempotency-key'],
      body: request.body,
      method: request.method,
      atMs: this.#now(),
    })
  }

  /** Whether an absolute value is about to be set after another command has been at it. */
  isOvertaken(command: Command): boolean {
    if (command.plan.operation.replay !== 'compare') return false
    const later = this.commands.slice(this.commands.indexOf(command) + 1)
    return later.some(({ target, sent }) => target === command.target && sent.length > 0)
  }

  arrived(command: Command, { isApplied }: Arrival, hasChanged: boolean): void {
    if (!isApplied) return
    command.applied += 1
    if (hasChanged) command.changed += 1
  }

  /** At the moment at which a command says how it ended. */
  tells(command: Command, told: Told): void {
    command.told = told
    const { exitCode } = told
    const said = `${command.name} tells exit code ${exitCode}`
    if (exitCode === 1) throw new Violation('No command ends with a fault of ours.', said)
    if (command.sent.length === 0 && exitCode !== 10) return
    command.handOf ??= told.operationId
    if (command.wasDiskFull) return
    const id = command.handOf
    const ended = this.certainEnds().find((record) => record.id === id)
    if (exitCode === 10) {
      if (ended === undefined && this.#certainOpen().some((record) => record.id === id)) return
      throw new Violation('What is told to be in doubt is open in the ledger, for good.', said)
    }
    const expected = [0, 8, 13].includes(exitCode) ? 'confirmed' : 'rejected'
    if (ended?.state !== expected)
      throw new Violation(
        'What is told is recorded before, for good.',
        `${said}, and a power cut now would leave ${ended?.state ?? 'no end of it'} in the ledger`,
      )
    if (ended.exitCode !== exitCode && command.handOf === command.recordId)
      throw new Violation(
        'The ledger keeps the exit code that was told.',
        `${said}, and it keeps ${ended.exitCode}`,
      )
  }

  /** At the moment at which a resolve says how a write has ended. */
  resolves(command: Command, recordId: string, state: string): void {
    const ended = this.certainEnds().find(({ id }) => id === recordId)
    if (state !== 'in-doubt' && ended?.state !== state && !command.wasDiskFull)
      throw new Violation(
        'What is told is recorded before, for good.',
        `${command.name} is told to be ${state}`,
      )
  }

  /** Every end in the history, as the disk has it now for everybody. */
  ends(): readonly StoredRecord[] {
    return this.#disk
      .names(LEDGER)
      .filter(isHistory)
      .flatMap((name) => recordsIn(this.#disk.text(`${LEDGER}/${name}`) ?? ''))
  }

  certainEnds(): readonly StoredRecord[] {
    return [...this.#disk.certain(LEDGER)].flatMap(([name, text]) => (isHistory(name) ? recordsIn(text) : []))
  }

  #certainOpen(): readonly StoredRecord[] {
    return [...this.#disk.certain(`${LEDGER}/open`)].flatMap(([name, text]) =>
      name.endsWith('.json') ? recordsIn(text) : [],
    )
  }

  #hasDurableIntent(command: Command, request: HttpRequest): void {
    const open = this.#certainOpen()
    const own = open.find(({ id }) => id === command.recordId)
    const isHarmless = command.plan.operation.replay === 'safe'
    // One that is harmless to repeat goes on under the record of an equal one that was left.
    const record = own ?? (isHarmless ? open.find(({ id }) => isEqual(this.of(id), command)) : undefined)
    const said = `${command.name} sends ${request.method} ${request.url}`
    if (record === undefined) throw new Violation('No write is sent without a durable intent.', said)
    if (this.ends().some(({ id }) => id === record.id))
      throw new Violation('No write is sent for an intent that has ended.', said)
    const key = request.headers['x-idempotency-key'] ?? null
    if (key !== record.idempotencyKey && command.plan.operation.idempotencyKey)
      throw new Violation(
        'A write is sent with the key of its intent.',
        `${said} with ${key}, and ${record.idempotencyKey} is recorded`,
      )
    if (record.request !== undefined && record.request.body !== request.body)
      throw new Violation('A write is sent with the body of its intent.', `${said} with ${request.body}`)
    command.handOf = record.id
  }

  #isTheSameEachTime(command: Command, request: HttpRequest): void {
    const { operation } = command.plan
    if (request.method !== operation.method) return
    const first = command.sent[0]
    const key = request.headers['x-idempotency-key']
    if (first === undefined || (first.key === key && first.body === request.body)) return
    throw new Violation(
      'Every send of an intent has the same key and the same bytes.',
      `${command.name} sent ${first.key} ${first.body}, and now ${key} ${request.body}`,
    )
  }

  #isAloneOnItsTarget(command: Command): void {
    if (command.target === undefined) return
    const ended = new Set(this.ends().map(({ id }) => id))
    for (const other of this.commands) {
      if (other === command || other.target !== command.target) continue
      if (other.sent.length === 0 || other.handOf === undefined || ended.has(other.handOf)) continue
      if (other.handOf === command.handOf || wasDropped(other)) continue
      throw new Violation(
        'No write is sent while another one on its target is open.',
        `${command.name} is sent, and ${other.name} has not ended`,
      )
    }
  }

  #isNoUnwantedRepeat(command: Command): void {
    const { mayRepeat, ticket } = command.call
    // A ticket of its own says that it is another one.
    if (mayRepeat === true || ticket !== undefined || command.target === undefined || command.sent.length > 0)
      return
    // Killed before it could look: nobody has refused it, and it is cleared up like any other. One that ends the doubt
    // of an equal one is wanted.
    if (command.wasKilled || command.handOf !== command.recordId) return
    const since = this.#now() - SURELY_REPEATED_MS
    for (const other of this.commands)
      if (
        other !== command &&
        other.told?.exitCode === 0 &&
        other.told.atMs > since &&
        isEqual(other, command)
      )
        throw new Violation(
          'A write equal to one of a few minutes ago is not sent unless that was asked for.',
          `${command.name} is sent, and ${other.name} was done`,
        )
  }
}

const isHistory = (name: string): boolean => name.startsWith('history-')

/** The same lines are looked at again and again. */
const known = new Map<string, readonly StoredRecord[]>()

export const recordsIn = (text: string): readonly StoredRecord[] =>
  text.split('\n').flatMap((line) => {
    const seen = known.get(line)
    if (seen !== undefined) return seen
    if (known.size > 200) known.clear()
    const record = parseRecord(line)
    const records = record === undefined ? [] : [record]
    known.set(line, records)
    return records
  })
