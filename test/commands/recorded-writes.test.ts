import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/api/table.ts'
import type { OperationId } from '../../src/api/facts.ts'
import type { HttpResponse, HttpRequest } from '../../src/client/http/transport-port.ts'
import { ledgerPath } from '../../src/client/ledger/ledger-file.ts'
import type { StoredRecord } from '../../src/client/ledger/record.ts'
import { recordsIn } from '../support/ledger-rows.ts'
import { jsonAnswer } from '../support/run-pay.ts'
import { useBench } from '../support/use-bench.ts'
import type { RunOptions } from '../support/run-pay.ts'
import { CARD, CLIENT_TOKEN, CUSTOMER, EMAIL, SECRETS, TOKEN, WRITE_CASES } from './write-cases.ts'

/** Checks for every write of the API, by its command and by `pay api`, what is on disk and when. */

const PAYMENT = { id: 'p1', status: 'PENDING', currencyCode: 'EUR', amount: 1_000, customer: CUSTOMER }

const bench = useBench({})
const isRead = ({ method }: HttpRequest) => method === 'GET'
const entries = () =>
  readdirSync(bench.stateFolder, { recursive: true, withFileTypes: true }).map((entry) => ({
    path: join(entry.parentPath, entry.name),
    isFolder: entry.isDirectory(),
  }))
/** The records stored on disk. */
const records = () => (existsSync(ledgerPath(bench.stateFolder)) ? recordsIn(bench.stateFolder) : [])

/** Expects private files without any secret or personal data. */
function expectPrivate(): void {
  for (const { path, isFolder } of entries()) {
    expect
      .soft(`${path} ${(statSync(path).mode & 0o777).toString(8)}`)
      .toBe(`${path} ${isFolder ? 700 : 600}`)
    if (isFolder) continue
    const bytes = readFileSync(path).toString('latin1')
    for (const secret of SECRETS) expect.soft(`${path}: ${bytes}`).not.toContain(secret)
    expect.soft(path.slice(bench.stateFolder.length)).not.toMatch(/p1|A-1|rec-1|tok-/)
  }
}

const WRITES = OPERATIONS.flatMap((operation) => (operation.risk === 'read' ? [] : [operation]))
const CASES = WRITES.flatMap((operation) => {
  const { words, body, path } = WRITE_CASES[operation.id]
  const rest = [
    ...(body === undefined ? [] : ['--data', JSON.stringify(body)]),
    '--reason',
    `for ticket 5, card ${CARD}`,
  ]
  return [
    [`pay ${words[0]} ${words[1]}`, operation, [...words, ...rest]],
    [`pay api ${operation.method} ${operation.path}`, operation, ['api', operation.method, path, ...rest]],
  ] as const
})
const run = (words: readonly string[], service: RunOptions['service']) =>
  bench.runPay([...words, '--json'], service === undefined ? {} : { service })

describe.each(CASES)('%s', (_, operation, words) => {
  const { target, otherwise, keepsBody = false } = WRITE_CASES[operation.id]
  const answering = (write: (request: HttpRequest) => HttpResponse) => (request: HttpRequest) =>
    isRead(request) ? jsonAnswer(200, PAYMENT) : write(request)

  test('is recorded before it is sent, and its outcome before it is reported', async () => {
    let sent = 0
    // Soft: a check that throws while a request is in flight looks like a lost connection.
    const done = await run(
      words,
      answering(() => {
        sent += 1
        const open = records()
        expect.soft(open).toHaveLength(1)
        expect.soft(open[0]).toMatchObject({ operation: operation.id, state: 'sending', profile: 'shop' })
        expect
          .soft(open[0]?.target ?? null)
          .toEqual(target instanceof RegExp ? expect.stringMatching(target) : target)
        expect.soft(open[0]?.reason).toBe('for ticket 5, card [card number]')
        expect.soft('request' in (open[0] ?? {}), 'keeps the body (keepsBody in WRITE_CASES)').toBe(keepsBody)
        expectPrivate()
        return jsonAnswer(200, { ...PAYMENT, status: 'AUTHORIZED' })
      }),
    )
    expect(done.exitCode, done.stderr).toBe(0)
    expect(sent).toBe(1)
    expect(records()).toMatchObject([{ operation: operation.id, state: 'confirmed', exitCode: 0 }])
    expectPrivate()
  })

  test('has the same bytes and the same key on every attempt', async () => {
    const lost = await run(
      words,
      answering(() => jsonAnswer(504, {})),
    )
    expect(lost.exitCode).toBe(10)
    const sent = lost.requests.filter((request) => !isRead(request))
    const times = { safe: 4, keyed: 4, compare: 1, look: 1, never: 1 }[operation.replay]
    expect(sent).toHaveLength(times)
    expect(new Set(sent.map((request) => JSON.stringify(request))).size).toBe(1)
    expect('x-idempotency-key' in (sent[0]?.headers ?? {})).toBe(operation.idempotencyKey)
    expect(records()).toMatchObject([
      { state: 'in-doubt', exitCode: 10, idempotencyKey: sent[0]?.headers['x-idempotency-key'] ?? null },
    ])
    expectPrivate()
  })

  test('blocks its target while it is in doubt', async () => {
    await run(
      [...words, '--max-retries', '0'],
      answering(() => jsonAnswer(504, {})),
    )
    const other = await run([...words, ...(otherwise === undefined ? [] : ['--set', otherwise])], () =>
      jsonAnswer(200, PAYMENT),
    )
    const isFree = target === null || otherwise === undefined
    expect(other.exitCode, other.stderr).toBe(isFree ? 0 : 6)
    expect(other.requests.filter((request) => !isRead(request))).toHaveLength(isFree ? 1 : 0)
    const todo = 'DEEDS in src/ledger/files/ledger-errors.ts needs a row'
    expect(other.stderr, todo).not.toMatch(new RegExp(`sent: ${operation.id} on`))
    expectPrivate()
  })

  test.each(['--dry-run'])('records nothing with %s', async (way) => {
    expect(await run([...words, way], undefined)).toMatchObject({ exitCode: 0, requests: [] })
    expect(entries()).toEqual([])
  })
})

test('the cases cover every write of the API', () => {
  expect(Object.keys(WRITE_CASES).toSorted()).toEqual(WRITES.map(({ id }) => id).toSorted())
})

describe('an unknown path', () => {
  const PATH = `/unknown/${TOKEN}/${CARD}?customer=${encodeURIComponent(EMAIL)}`

  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'with %s is recorded with its variable parts hashed',
    async (method) => {
      let open: readonly StoredRecord[] = []
      const done = await run(['api', method, PATH], () => {
        open = records()
        expectPrivate()
        return jsonAnswer(200, {})
      })
      expect(done.exitCode, done.stderr).toBe(0)
      expect(open).toMatchObject([{ operation: 'api', state: 'sending', targetKind: 'path' }])
      expect(open[0]?.['target']).toMatch(/^\/unknown\/sha256:[\da-f]{64}\/sha256:[\da-f]{64}$/)
      expectPrivate()
    },
  )

  test('is not resent, and blocks its target while in doubt', async () => {
    const lost = await run(['api', 'POST', PATH], () => jsonAnswer(503, {}))
    expect(lost.exitCode).toBe(10)
    expect(lost.requests).toHaveLength(1)
    expect((await run(['api', 'PUT', PATH], () => jsonAnswer(200, {}))).exitCode).toBe(6)
    expect((await run(['api', 'PUT', '/unknown/other'], () => jsonAnswer(200, {}))).exitCode).toBe(0)
  })
})

const READS: readonly (readonly string[])[] = [
  ['payment', 'get', 'p1'],
  ['payment', 'list'],
  ['observability', 'get', 'rec-1'],
  ['observability', 'list'],
  ['session', 'get', '--client-token', CLIENT_TOKEN],
  ['instrument', 'list', '--customer-id', 'c'],
  ['api', 'GET', '/unknown'],
]

test.each(READS)('a read records nothing: pay %s %s', async (...words) => {
  const done = await run(words, () => jsonAnswer(200, { ...PAYMENT, paymentId: 'rec-1', data: [] }))
  expect(done.exitCode, done.stderr).toBe(0)
  expect(entries()).toEqual([])
})

test('the cases cover every read of the API', () => {
  const reads: readonly OperationId[] = OPERATIONS.flatMap(({ id, risk }) => (risk === 'read' ? [id] : []))
  expect(reads.toSorted()).toEqual(
    READS.flatMap(([noun, verb]) => (noun === 'api' ? [] : [`${noun}.${verb}`])).toSorted(),
  )
})
