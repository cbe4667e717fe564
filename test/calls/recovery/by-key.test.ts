import { describe, expect, test } from 'vitest'
import type { StoredIntent } from '../../../src/ledger/port.ts'
import { TransportFailure } from '../../../src/http/transport-port.ts'
import { lost, unsent } from '../../support/scripted-call.ts'
import type { Scripted } from '../../support/scripted-call.ts'
import { json, refusal } from '../../support/simulated-service.ts'
import { HOUR_MS, MINUTE_MS, NOW, aged, storedRefund, runResolve } from './resolve-bench.ts'
import type { ResolveParts } from './resolve-bench.ts'

const DATE = '2026-03-10T11:59:00.500000'
const LONG_AGO = '2026-03-09T11:59:00.500000'
const refundEntry = (date: string, more: object = {}) => ({
  transactionType: 'REFUND',
  amount: 300,
  date,
  processorStatus: 'PENDING',
  ...more,
})

interface Look {
  readonly payment: object
  /** What it says of the call by itself. */
  readonly says: 'absent' | 'shown' | 'unclear'
  /** Whether it can be the result of a call that was processed. */
  readonly contradicts: boolean
}

const settled = (captured: number, refunded: number) => ({
  id: 'pay-1',
  status: 'SETTLED',
  processor: { amountCaptured: captured, amountRefunded: refunded },
})

/** What each operation finds. */
const LOOKS: Readonly<
  Record<string, { readonly intent: StoredIntent; readonly looks: Readonly<Record<string, Look>> }>
> = {
  'payment.refund': {
    intent: storedRefund(),
    looks: {
      'none is there': {
        payment: { ...settled(1_000, 0), transactions: [] },
        says: 'absent',
        contradicts: true,
      },
      'it is there once': {
        payment: { ...settled(1_000, 300), transactions: [refundEntry(DATE)] },
        says: 'shown',
        contradicts: false,
      },
      'it is there twice': {
        payment: { ...settled(1_000, 600), transactions: [refundEntry(DATE), refundEntry(DATE)] },
        says: 'unclear',
        contradicts: false,
      },
      'the figures are missing': {
        payment: { id: 'pay-1', status: 'SETTLED' },
        says: 'unclear',
        contradicts: false,
      },
    },
  },
  'payment.capture': {
    intent: storedRefund({
      operation: 'payment.capture',
      amount: 700,
      request: { params: { id: 'pay-1' }, body: '{"amount":700}' },
    }),
    looks: {
      'none is there': {
        payment: { id: 'pay-1', status: 'AUTHORIZED', processor: { amountCaptured: 0 } },
        says: 'absent',
        contradicts: true,
      },
      'it is there once': { payment: settled(700, 0), says: 'shown', contradicts: false },
      'it is there twice': { payment: settled(1_400, 0), says: 'unclear', contradicts: false },
      'the figures are missing': {
        payment: { id: 'pay-1', status: 'SETTLED' },
        says: 'unclear',
        contradicts: false,
      },
      'another status': {
        payment: { id: 'pay-1', status: 'REVERSING' },
        says: 'unclear',
        contradicts: false,
      },
    },
  },
  'payment.cancel': {
    intent: storedRefund({
      operation: 'payment.cancel',
      amount: undefined,
      request: { params: { id: 'pay-1' }, body: undefined },
    }),
    looks: {
      'none is there': { payment: { id: 'pay-1', status: 'AUTHORIZED' }, says: 'absent', contradicts: true },
      'it is there once': {
        payment: { id: 'pay-1', status: 'CANCELLED' },
        says: 'shown',
        contradicts: false,
      },
      'the figures are missing': { payment: { id: 'pay-1' }, says: 'unclear', contradicts: false },
      'another status': { payment: { id: 'pay-1', status: 'VOIDING' }, says: 'unclear', contradicts: false },
    },
  },
  'payment.authorize': {
    intent: storedRefund({
      operation: 'payment.authorize',
      amount: undefined,
      request: { params: { id: 'pay-1' }, body: '{"processor":{"processorMerchantId":"alpha-1"}}' },
    }),
    looks: {
      'none is there': { payment: { id: 'pay-1', status: 'PENDING' }, says: 'absent', contradicts: true },
      'it is there once': {
        payment: { id: 'pay-1', status: 'AUTHORIZED', processor: { processorMerchantId: 'alpha-1' } },
        says: 'shown',
        contradicts: false,
      },
      'another status': {
        payment: { id: 'pay-1', status: 'AUTHORIZED', processor: { processorMerchantId: 'beta-1' } },
        says: 'unclear',
        contradicts: false,
      },
      'the figures are missing': { payment: { id: 'pay-1' }, says: 'unclear', contradicts: false },
    },
  },
}

type Told = { readonly kind: string; readonly exitCode?: number; readonly isAmbiguous?: boolean }
const IN_DOUBT: Told = { kind: 'in-doubt', isAmbiguous: false }
const AMBIGUOUS: Told = { kind: 'in-doubt', isAmbiguous: true }

/** What the resend is answered, and what that means beside what the payment shows. */
const RESENDS: Readonly<Record<string, { readonly answer: Scripted; readonly means: (look: Look) => Told }>> =
  {
    // Read back, it has to be there.
    '200': {
      answer: json(200, { id: 'pay-1' }),
      means: ({ contradicts }) => (contradicts ? AMBIGUOUS : { kind: 'confirmed', exitCode: 0 }),
    },
    '200, a page of HTML': {
      answer: { status: 200, headers: {}, body: '<html>' },
      means: () => IN_DOUBT,
    },
    '200, and an error in it': {
      answer: { ...refusal(400, 'InvalidPaymentStatus'), status: 200 },
      means: () => IN_DOUBT,
    },
    '200, another payment': { answer: json(200, { id: 'pay-2', status: 'SETTLED' }), means: () => IN_DOUBT },
    '409, our key': {
      answer: refusal(409, 'IdempotencyKeyAlreadyExists', { paymentId: 'pay-1' }),
      means: ({ contradicts }) => (contradicts ? AMBIGUOUS : { kind: 'confirmed', exitCode: 0 }),
    },
    '400, our key': {
      answer: refusal(400, 'TransactionRequestIdempotencyKeyAlreadyExists'),
      means: ({ contradicts }) => (contradicts ? AMBIGUOUS : { kind: 'confirmed', exitCode: 0 }),
    },
    '409, our key, of another payment': {
      answer: refusal(409, 'IdempotencyKeyAlreadyExists', { paymentId: 'pay-2' }),
      means: () => AMBIGUOUS,
    },
    '400, the state': {
      answer: refusal(400, 'InvalidPaymentStatus'),
      means: ({ says }) => (says === 'absent' ? { kind: 'rejected', exitCode: 6 } : AMBIGUOUS),
    },
    '422, the amount': {
      answer: refusal(422, 'UnprocessableRefundAmount'),
      means: ({ says }) => (says === 'absent' ? { kind: 'rejected', exitCode: 3 } : AMBIGUOUS),
    },
    '409, nothing left': {
      answer: refusal(409, 'PaymentAlreadyRefunded'),
      means: ({ says }) => (says === 'absent' ? { kind: 'rejected', exitCode: 6 } : AMBIGUOUS),
    },
    // The first one may be what is in the way: it is not through yet.
    '409, something else': { answer: refusal(409, 'PaymentIsLocked'), means: () => IN_DOUBT },
    '409 without a word': { answer: json(409, {}), means: () => IN_DOUBT },
    // The key can be given its rights, and then it can be done.
    '401': { answer: refusal(401, 'Unauthorized'), means: () => IN_DOUBT },
    '403': { answer: refusal(403, 'Forbidden'), means: () => IN_DOUBT },
    '403 of a proxy': { answer: { status: 403, headers: {}, body: '<html>' }, means: () => IN_DOUBT },
    '302': { answer: json(302, {}), means: () => IN_DOUBT },
    '429': { answer: json(429, {}), means: () => IN_DOUBT },
    '503': { answer: json(503, {}), means: () => IN_DOUBT },
    'no answer': { answer: lost, means: () => IN_DOUBT },
    'no connection': { answer: unsent, means: () => IN_DOUBT },
  }

const AGES = {
  'a minute old': { ms: MINUTE_MS, isKnown: true },
  '22 hours old': { ms: 22 * HOUR_MS, isKnown: true },
  '24 hours old': { ms: 24 * HOUR_MS, isKnown: false },
} as const

const rows = Object.entries(LOOKS).flatMap(([operation, { intent, looks }]) =>
  Object.entries(looks).flatMap(([lookName, look]) =>
    Object.entries(AGES).flatMap(([age, { ms, isKnown }]) =>
      Object.entries(RESENDS).map(([resend, { answer, means }]) => {
        // What is there is never sent again, whatever the age of its key.
        const isSent = look.says === 'absent' || (look.says === 'unclear' && isKnown)
        const told = isSent
          ? means(look)
          : look.says === 'shown'
            ? { kind: 'confirmed', exitCode: 0 }
            : AMBIGUOUS
        return { operation, lookName, age, ms, resend, answer, intent, look, isSent, told }
      }),
    ),
  ),
)

/** The same look, at a call of that age. */
const lookAtAge = ({ payment }: Look, ms: number): object =>
  ms < 2 * HOUR_MS ? payment : JSON.parse(JSON.stringify(payment).replaceAll(DATE, LONG_AGO_FOR(ms)))
const LONG_AGO_FOR = (ms: number): string =>
  new Date(NOW.getTime() - ms + 500).toISOString().replace('Z', '000')

describe.each(Object.keys(LOOKS))('%s, in doubt', (operation) => {
  test.each(rows.filter((row) => row.operation === operation))(
    '$lookName, $age, sent again: $resend',
    async ({ intent, look, ms, answer, isSent, told }) => {
      const run = await runResolve(
        { ...intent, ...aged(ms) },
        { read: () => json(200, lookAtAge(look, ms)), write: () => answer },
      )
      expect(run.resolution).toMatchObject(told)
      expect(run.writes).toHaveLength(isSent ? 1 : 0)
      expect(run.questions).toBe(isSent ? 1 : 0)
      for (const { url, headers, body } of run.writes) {
        expect(url).toMatch(/\/payments\/pay-1\/[a-z]+$/)
        expect(body).toBe(intent.request?.body)
        expect(headers).toMatchObject({ 'x-idempotency-key': 'key-of-op-1', 'x-api-version': '2.1' })
      }
      expect(run.resolution.words).toMatch(/^[A-Z].*\.$/)
    },
  )
})

describe('a refund in doubt', () => {
  const absent = json(200, LOOKS['payment.refund']?.looks['none is there']?.payment)
  const shown = json(200, LOOKS['payment.refund']?.looks['it is there once']?.payment)

  test.each<[string, Scripted, Told]>([
    ['cannot be read', json(500, {}), IN_DOUBT],
    ['is lost on its way', lost, IN_DOUBT],
    ['is a page of HTML', { status: 200, headers: {}, body: '<html>' }, IN_DOUBT],
    ['is no payment', json(200, []), IN_DOUBT],
    ['is another payment', json(200, { ...settled(1_000, 300), id: 'pay-2' }), IN_DOUBT],
    ['is a word of a proxy', json(200, { message: 'maintenance' }), IN_DOUBT],
    ['is not told to this key', refusal(401, 'Unauthorized'), IN_DOUBT],
    ['is not there, says something on the way', { status: 404, headers: {}, body: 'nginx' }, IN_DOUBT],
    ['is not there', refusal(400, 'PaymentError'), { kind: 'rejected', exitCode: 5 }],
    ['is not there (404)', refusal(404, 'PaymentNotFoundError'), { kind: 'rejected', exitCode: 5 }],
  ])('is not sent when the payment %s', async (_, answer, told) => {
    const run = await runResolve(storedRefund(), { read: () => answer })
    expect(run.resolution).toMatchObject(told)
    expect(run.writes).toEqual([])
    expect(run.questions).toBe(0)
  })

  test('is not sent without a yes', async () => {
    const run = await runResolve(storedRefund(), { read: () => absent, confirmSend: false })
    expect(run.resolution).toMatchObject(IN_DOUBT)
    expect(run.resolution.words).toContain('Not confirmed')
    expect(run).toMatchObject({ writes: [], questions: 1 })
  })

  test('is sent with the same key and bytes on every attempt', async () => {
    const answers: readonly Scripted[] = [lost, json(503, {}), json(429, {}), json(200, { id: 'pay-1' })]
    const run = await runResolve(storedRefund(), {
      read: (_, index) => (index === 0 ? absent : shown),
      write: (_, index) => answers[index] ?? lost,
      maxRetries: 3,
    })
    expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
    expect(run.writes).toHaveLength(4)
    expect(new Set(run.writes.map((request) => JSON.stringify(request))).size).toBe(1)
    expect(run.questions).toBe(1)
  })

  test.each([
    ['DECLINED', 13],
    ['FAILED', 13],
  ])('of a payment whose refund transaction is %s is told as such', async (processorStatus, exitCode) => {
    const answer = json(200, { ...settled(1_000, 0), transactions: [refundEntry(DATE, { processorStatus })] })
    const run = await runResolve(storedRefund(), {
      read: (_, index) => (index === 0 ? absent : answer),
      write: () => answer,
    })
    expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode })
  })

  describe('that was sent again and answered', () => {
    const twice = json(200, { ...settled(1_000, 600), transactions: [refundEntry(DATE), refundEntry(DATE)] })
    const resent = (after: Scripted, more: Partial<ResolveParts> = {}) =>
      runResolve(storedRefund(), {
        read: (_, index) => (index === 0 ? absent : after),
        write: () => shown,
        ...more,
      })

    test('is done once where the payment shows it once', async () => {
      const { resolution, reads } = await resent(shown)
      expect(resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
      expect(resolution.words).toBe('It was sent again with the same idempotency key. It is done, once.')
      expect(reads).toHaveLength(2)
    })

    test('stays in doubt where the payment does not show it', async () => {
      const { resolution } = await resent(absent)
      expect(resolution).toMatchObject(AMBIGUOUS)
      expect(resolution.words).toContain('the payment does not show it')
    })

    test('stays in doubt where the payment shows it twice: the key was not known for what it is', async () => {
      const { resolution } = await resent(twice)
      expect(resolution).toMatchObject(AMBIGUOUS)
      expect(resolution.words).toContain('may have been done twice')
      // The list may be missing, the sum tells as well.
      const sums = await resent(json(200, settled(1_000, 600)), {
        read: (_, index) => json(200, settled(1_000, index === 0 ? 0 : 600)),
      })
      expect(sums.resolution).toMatchObject(AMBIGUOUS)
    })

    test('is done beside one like it that was there before', async () => {
      const before = json(200, {
        ...settled(1_000, 600),
        transactions: [refundEntry(DATE), refundEntry(DATE)],
      })
      const after = json(200, {
        ...settled(1_000, 900),
        transactions: [refundEntry(DATE), refundEntry(DATE), refundEntry(DATE)],
      })
      const run = await resent(after, { read: (_, index) => (index === 0 ? before : after) })
      expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
    })

    test('is done where the payment cannot be read back, and says so', async () => {
      for (const after of [json(500, {}), lost, json(200, { id: 'pay-2' })]) {
        const { resolution } = await resent(after)
        expect(resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
        expect(resolution.words).toContain('could not be read back')
        expect(resolution.words).not.toContain('once')
      }
    })
  })

  test('is not sent with a key that is not its own where the payment shows it', async () => {
    const run = await runResolve(storedRefund({ idempotencyKey: 'damaged' }), { read: () => shown })
    expect(run).toMatchObject({ writes: [], questions: 0, resolution: { kind: 'confirmed', exitCode: 0 } })
    expect(run.resolution.words).toBe('It was done: the payment shows it. Nothing was sent.')
  })

  test('that the processor never answered stays in doubt, however often it is looked at', async () => {
    const never = json(200, {
      ...settled(1_000, 300),
      transactions: [
        refundEntry(DATE, { processorStatus: 'FAILED', processorStatusReason: { type: 'GATEWAY_TIMEOUT' } }),
      ],
    })
    const again = await runResolve(storedRefund(), {
      read: () => never,
      write: () => refusal(409, 'IdempotencyKeyAlreadyExists'),
    })
    expect(again.resolution).toMatchObject(IN_DOUBT)
    const old = await runResolve(storedRefund(aged(24 * HOUR_MS)), {
      read: () =>
        json(200, {
          ...settled(1_000, 300),
          transactions: [
            refundEntry(LONG_AGO, {
              processorStatus: 'FAILED',
              processorStatusReason: { type: 'GATEWAY_TIMEOUT' },
            }),
          ],
        }),
    })
    expect(old.resolution).toMatchObject(IN_DOUBT)
    expect(old.writes).toEqual([])
  })

  test('whose key was used, while the payment cannot be read, is done', async () => {
    const run = await runResolve(storedRefund(), {
      read: (_, index) => (index === 0 ? absent : json(500, {})),
      write: () => refusal(409, 'IdempotencyKeyAlreadyExists'),
    })
    expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
    expect(run.resolution.words).toContain('could not be read back')
  })

  test('whose key was used, while there is no such payment any more, is not called ambiguous', async () => {
    const run = await runResolve(storedRefund(), {
      read: (_, index) => (index === 0 ? absent : refusal(400, 'PaymentError')),
      write: () => refusal(409, 'IdempotencyKeyAlreadyExists'),
    })
    expect(run.resolution).toMatchObject(IN_DOUBT)
  })

  test('says that it was not sent where it was not', async () => {
    const run = await runResolve(storedRefund(), { read: () => absent, write: () => unsent })
    expect(run.resolution.words).toContain('could not be sent again')
  })

  describe('that the service refuses, while the first may be on its way', () => {
    const justNow = { createdAt: NOW, underWayAt: NOW }

    test('is not taken for undone before that has had its time', async () => {
      const run = await runResolve(storedRefund(justNow), {
        read: (_, index) => (index < 2 ? absent : shown),
        write: () => refusal(422, 'UnprocessableRefundAmount'),
      })
      expect(run.waits).toEqual([10_000])
      expect(run.resolution).toMatchObject(AMBIGUOUS)
    })

    test('is undone when it is not there even then', async () => {
      const run = await runResolve(storedRefund(justNow), {
        read: () => absent,
        write: () => refusal(422, 'UnprocessableRefundAmount'),
      })
      expect(run.waits).toEqual([10_000])
      expect(run.resolution).toMatchObject({ kind: 'rejected', exitCode: 3 })
    })

    test('stays in doubt when nobody waits for that', async () => {
      const stop = new AbortController()
      const run = await runResolve(storedRefund(justNow), {
        read: () => absent,
        write: () => {
          stop.abort('SIGINT')
          return refusal(422, 'UnprocessableRefundAmount')
        },
        stop,
      })
      expect(run.resolution).toMatchObject(IN_DOUBT)
    })
  })

  describe('with a key that may mean nothing any longer', () => {
    test.each([
      ['another API key', { account: 'another' }],
      ['a clock that is behind', aged(-HOUR_MS)],
      ['its age', aged(24 * HOUR_MS)],
    ])('is not sent where one like it is there: %s', async (_, more) => {
      const intent = storedRefund(more)
      const date = intent.createdAt.toISOString()
      const run = await runResolve(intent, {
        read: () => json(200, { ...settled(1_000, 300), transactions: [refundEntry(date)] }),
      })
      expect(run.resolution).toMatchObject({ kind: 'confirmed', exitCode: 0 })
      expect(run.writes).toEqual([])
    })

    test('is not sent before the first has had its time to arrive', async () => {
      const intent = storedRefund({ account: 'another', createdAt: NOW, underWayAt: NOW })
      const run = await runResolve(intent, {
        read: (_, index) =>
          index === 0
            ? absent
            : json(200, { ...settled(1_000, 300), transactions: [refundEntry(NOW.toISOString())] }),
      })
      expect(run.waits).toEqual([10_000])
      expect(run).toMatchObject({ writes: [], resolution: { kind: 'confirmed' } })
    })

    test('of a payment that this API key does not see says nothing', async () => {
      const run = await runResolve(storedRefund({ account: 'another' }), {
        read: () => refusal(400, 'PaymentError'),
      })
      expect(run.resolution).toMatchObject(IN_DOUBT)
    })

    test('is not sent when it grew too old while it was tried', async () => {
      const intent = storedRefund(aged(23 * HOUR_MS - 1_000))
      const run = await runResolve(intent, {
        read: () => absent,
        write: () => json(503, {}),
        maxRetries: 3,
      })
      // The first wait is short; with a long one asked for, the key is too old for a second attempt.
      expect(run.writes.length).toBeGreaterThan(0)
      const slow = await runResolve(intent, {
        read: () => absent,
        write: () => ({ status: 503, headers: { 'retry-after': '60' }, body: '' }),
        maxRetries: 3,
      })
      expect(slow.writes).toHaveLength(1)
      expect(slow.resolution).toMatchObject(IN_DOUBT)
    })
  })

  test('is not sent after a first signal', async () => {
    const stop = new AbortController()
    const run = await runResolve(storedRefund(), {
      read: () => {
        stop.abort('SIGINT')
        return absent
      },
      stop,
    })
    expect(run.resolution).toMatchObject(IN_DOUBT)
    expect(run.writes).toEqual([])
  })

  test('whose body could not be kept is left to a person', async () => {
    const run = await runResolve(storedRefund({ request: undefined }), { read: () => absent })
    expect(run.resolution).toMatchObject(IN_DOUBT)
    expect(run).toMatchObject({ reads: [], writes: [] })
  })
})

test.each([
  ['an operation that is not known here', 'payment.split', IN_DOUBT],
  ['a path of one’s own', 'api', IN_DOUBT],
  ['points', 'loyalty.create', IN_DOUBT],
  ['a session', 'session.create', IN_DOUBT],
  ['a change that is harmless to repeat', 'session.update', IN_DOUBT],
  ['a saved method', 'instrument.delete', IN_DOUBT],
])('%s is left to a person, and nothing is asked', async (_, operation, told) => {
  const run = await runResolve(storedRefund({ operation, request: undefined }), {
    read: () => new TransportFailure('other', true, 'nothing was to be read'),
  })
  expect(run.resolution).toMatchObject(told)
  expect(run).toMatchObject({ reads: [], writes: [], questions: 0 })
})
