import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Intent } from '../../../src/ledger/port.ts'
import { withChecksum } from '../../../src/ledger/files/checksum.ts'
import { STATES, ended, storedIntentOf, newRecord, published } from '../../../src/ledger/files/record.ts'
import { parseRecord } from '../../../src/ledger/files/record-text.ts'
import { recordText } from '../../../src/ledger/files/record-text.ts'
import type { StoredRecord } from '../../../src/ledger/files/record.ts'
import { AGAIN, ONCE, REFUND, TICKET } from '../ledger-bench.ts'

const NOW = new Date('2026-03-01T12:00:00.000Z')
const FACTS = {
  id: 'op-1',
  now: NOW,
  user: 'ana',
  version: '1.2.3',
  owner: { pid: 7, startedAt: 'b-1', machine: 'desk' },
}
const recordOf = (more: Partial<Intent> = {}, options = AGAIN): StoredRecord =>
  newRecord({ ...REFUND, ...more }, options, FACTS)

const text = () =>
  fc.oneof(fc.string({ unit: 'binary' }), fc.string({ maxLength: 5 }), fc.constant('é\n"\\\u2028\0'))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const INTENTS: fc.Arbitrary<Intent> = fc.record({
  operation: text(),
  baseUrl: text(),
  account: text(),
  profile: maybe(text()),
  mode: fc.constantFrom('test', 'live'),
  apiVersion: text(),
  target: maybe(fc.record({ kind: text(), name: text() })),
  amount: maybe(fc.oneof(fc.maxSafeInteger(), fc.double(), fc.constantFrom(0, 2 ** 53, 1e300))),
  currencyCode: maybe(text()),
  idempotencyKey: maybe(text()),
  reason: maybe(text()),
  fingerprint: text(),
  isRepeatable: fc.boolean(),
  request: maybe(fc.record({ params: fc.dictionary(text(), text()), body: maybe(text()) })),
  before: maybe(fc.record({ sha256: text(), status: maybe(text()) })),
})

describe('a record', () => {
  test('of any write can be read back from one line', () => {
    fc.assert(
      fc.property(INTENTS, fc.constantFrom(ONCE, AGAIN, TICKET), (intent, options) => {
        const record = newRecord(intent, options, FACTS)
        const line = recordText(record)
        expect(line).not.toMatch(/[\r\n]/)
        const read = parseRecord(line)
        expect(read && recordText(read)).toBe(line)
        const closed = ended(record, { state: 'confirmed', exitCode: 0 }, NOW)
        const past = parseRecord(recordText(closed))
        expect(past && recordText(past)).toBe(recordText(closed))
      }),
      { numRuns: 300, seed: 3 },
    )
  })

  test('cut short anywhere is rejected', () => {
    const line = recordText(recordOf({ reason: 'é😀' }))
    for (let length = 0; length < line.length; length += 1)
      expect(parseRecord(line.slice(0, length)), line.slice(0, length)).toBeUndefined()
  })

  test.each([
    ['the largest amount', { amount: Number.MAX_SAFE_INTEGER }, { amount: 9_007_199_254_740_991 }],
    ['nothing', { amount: 0 }, { amount: 0 }],
    [
      'a target of 10,000 signs',
      { target: { kind: 'order', name: 'é/'.repeat(5_000) } },
      { target: 'é/'.repeat(5_000) },
    ],
    [
      'a target of odd signs',
      { target: { kind: 'order', name: '../../etc\0"\n' } },
      { target: '../../etc\0"\n' },
    ],
    // Unchecked, as with --no-validate: the kept body has it unchanged.
    ['a fraction', { amount: 7.5 }, { amount: null }],
    ['more than can be counted', { amount: 2 ** 53 }, { amount: null }],
    ['no number', { amount: Number.NaN }, { amount: null }],
  ])('keeps %s', (_, more, expected) => {
    expect(parseRecord(recordText(recordOf(more)))).toMatchObject(expected)
  })

  test.each(['', '../x', 'a/b', 'a.1', 'a b', 'a\0', 'x'.repeat(201), 'é'])(
    'whose id could not be part of a file name is none: %j',
    (id) => {
      expect(parseRecord(recordText({ ...recordOf(), id }))).toBeUndefined()
    },
  )

  test.each<[string, Readonly<Record<string, unknown>>]>([
    ['state', { state: 'paid' }],
    ['state', { state: null }],
    ['amount', { amount: '5' }],
    ['amount', { amount: 5.5 }],
    ['createdAt', { createdAt: 'yesterday' }],
    ['updatedAt', { updatedAt: null }],
    ['updatedAt', { updatedAt: '2026-13-01T00:00:00.000Z' }],
    ['target', { target: 5 }],
    ['user', { user: null }],
    ['mode', { mode: 'both' }],
    ['isRepeatable', { isRepeatable: 'yes' }],
    ['request', { request: 'x' }],
    ['request', { request: { params: { id: 5 } } }],
    ['request', { request: { params: {}, body: {} } }],
    ['before', { before: { status: 'x' } }],
    ['owner', { owner: { pid: 'x', machine: 'desk' } }],
    ['owner', { owner: null }],
    ['unasked', { unasked: {} }],
  ])('with a wrong %s is rejected: %j', (_, wrong) => {
    expect(parseRecord(withChecksum(JSON.stringify({ ...recordOf(), ...wrong })))).toBeUndefined()
  })

  test('without one of its fields is rejected', () => {
    const optional = ['request', 'before', 'owner', 'unasked']
    const whole = recordOf({ before: { sha256: 'a', status: undefined } }, ONCE)
    for (const name of Object.keys(whole)) {
      const rest = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name))
      expect(parseRecord(withChecksum(JSON.stringify(rest))) === undefined, name).toBe(
        !optional.includes(name),
      )
    }
  })

  test('with an unknown field is rejected', () => {
    expect(parseRecord(withChecksum(JSON.stringify({ ...recordOf(), seal: 'wax' })))).toBeUndefined()
  })

  test("without a checksum, or with another record's, is rejected", () => {
    const [one, other] = [recordText(recordOf()), recordText(recordOf({ amount: 501 }))]
    expect(parseRecord(JSON.stringify(recordOf()))).toBeUndefined()
    expect(parseRecord(`${one.slice(0, -34)}${other.slice(-34)}`)).toBeUndefined()
    expect(parseRecord(one)).toEqual(recordOf())
  })

  test('with a single flipped bit is rejected', () => {
    const bytes = Buffer.from(recordText(recordOf({ reason: 'é😀' })))
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(parseRecord(changed.toString()), `bit ${bit}`).toBeUndefined()
    }
  })

  test('is shown with its published fields only, in order', () => {
    expect(Object.keys(published(recordOf()))).toEqual(
      `id operation profile target amount currencyCode idempotencyKey createdAt updatedAt state exitCode reason user host version`.split(
        ' ',
      ),
    )
  })
})

describe('an outcome', () => {
  test.each(STATES.filter((state) => state !== 'sending' && state !== 'in-doubt'))(
    'by %s drops what was kept to send it again',
    (state) => {
      const record = recordOf({ before: { sha256: 'a', status: 'x' } }, ONCE)
      const closed = ended(record, { state, exitCode: 0 }, NOW)
      for (const name of ['request', 'before', 'owner', 'unasked']) expect(closed).not.toHaveProperty(name)
    },
  )

  test('in doubt keeps the request and drops the pending checks', () => {
    const open = ended(recordOf({}, ONCE), { state: 'in-doubt', exitCode: 10 }, NOW)
    expect(open).toMatchObject({ state: 'in-doubt', request: REFUND.request, exitCode: 10 })
    expect(open).not.toHaveProperty('unasked')
  })

  test('keeps the reported exit code until there is another', () => {
    const open = ended(recordOf(), { state: 'in-doubt', exitCode: 10 }, NOW)
    expect(ended(open, { state: 'in-doubt', exitCode: undefined }, NOW).exitCode).toBe(10)
    expect(ended(open, { state: 'confirmed', exitCode: 0 }, NOW).exitCode).toBe(0)
  })

  test("takes the response's currency only when the request had none", () => {
    const answer = { state: 'confirmed', exitCode: 0, currencyCode: 'JPY' } as const
    expect(ended(recordOf(), answer, NOW).currencyCode).toBe('EUR')
    expect(ended(recordOf({ currencyCode: undefined }), answer, NOW).currencyCode).toBe('JPY')
  })
})

describe('the stored intent for a resolve', () => {
  const HOUR_MS = 3_600_000
  const later = (ms: number) => new Date(NOW.getTime() + ms)

  test('counts a killed write as in flight until now', () => {
    for (const now of [later(5_000), later(9 * HOUR_MS)])
      expect(storedIntentOf(recordOf(), [], { now, wasTakenOver: false }).underWayAt).toEqual(now)
  })

  test('knows when a write in doubt was released', () => {
    const open = ended(recordOf(), { state: 'in-doubt', exitCode: 10 }, later(1_000))
    const now = later(9_000)
    expect(storedIntentOf(open, [], { now, wasTakenOver: false }).underWayAt).toEqual(later(1_000))
    // A process that resolved it has died since, perhaps while sending it again.
    expect(storedIntentOf(open, [], { now, wasTakenOver: true }).underWayAt).toEqual(now)
  })

  test('knows the last attempt that was recorded, also if a process has died since', () => {
    const ending = { state: 'in-doubt', exitCode: 10, lastAttemptAt: later(1_000) } as const
    const open = ended(recordOf(), { ...ending, underWayAt: later(5_000) }, later(60_000))
    const now = later(9 * HOUR_MS)
    for (const wasTakenOver of [false, true])
      expect(storedIntentOf(open, [], { now, wasTakenOver }).lastAttemptAt).toEqual(later(1_000))
    expect(storedIntentOf(recordOf(), [], { now, wasTakenOver: true }).lastAttemptAt).toEqual(NOW)
  })

  test('does not count a write that was only read as in flight since', () => {
    const looked = { state: 'in-doubt', exitCode: undefined, underWayAt: later(1_000) } as const
    const open = ended(recordOf(), looked, later(60_000))
    expect(open.updatedAt).toBe(later(60_000).toISOString())
    const now = later(90_000)
    expect(storedIntentOf(open, [], { now, wasTakenOver: false }).underWayAt).toEqual(later(1_000))
    const sentAgain = ended(open, { state: 'in-doubt', exitCode: 10 }, later(80_000))
    expect(storedIntentOf(sentAgain, [], { now, wasTakenOver: false }).underWayAt).toEqual(later(80_000))
    expect(ended(open, { state: 'confirmed', exitCode: 0 }, now)).not.toHaveProperty('underWayAt')
  })

  test('lists the other writes on that target only', () => {
    const done = (more: Partial<StoredRecord>) => ({
      ...ended(recordOf(), { state: 'confirmed', exitCode: 0, resource: 'p1' }, later(1_000)),
      id: 'op-2',
      ...more,
    })
    const others = [
      done({}),
      done({ id: 'op-1' }),
      done({ state: 'rejected' }),
      done({ state: 'abandoned' }),
      done({ target: 'p2' }),
      done({ targetKind: 'order' }),
      done({ baseUrl: 'https://other.example.com' }),
      done({ account: 'with another key', operation: 'payment.capture', idempotencyKey: 'key-2' }),
      // The service may have answered it with the other's response.
      done({ id: 'op-3' }),
    ]
    const made = { amount: 500, exitCode: 0, resource: 'p1', endedAt: later(1_000) }
    expect(storedIntentOf(recordOf(), others, { now: NOW, wasTakenOver: false }).others).toEqual([
      { operation: 'payment.refund', ...made },
      { operation: 'payment.capture', ...made },
    ])
  })
})
