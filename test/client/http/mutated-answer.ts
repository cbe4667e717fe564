import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { WRITES } from '../../support/client-bench.ts'
import type { Wanted } from './response-oracle.ts'
import { METHOD_TOKEN, PAYMENT_ID } from '../../support/simulated-service.ts'
import type { WriteId } from '../../support/simulated-service.ts'

export const OF_PAYMENT = [
  'date',
  'status',
  'orderId',
  'amount',
  'order',
  'customerId',
  'customer',
  'paymentMethod',
  'processor',
  'requiredAction',
  'statusReason',
  'transactions',
  'riskData',
]
export const OF_RECORD = [
  'processor',
  'amount',
  'createdAt',
  'order',
  'paymentMethod',
  'status',
  'statusReason',
  'paymentType',
  'descriptor',
]
export const OF_POINTS = [
  'id',
  'date',
  'connectionId',
  'customerId',
  'orderId',
  'connectionTransactionId',
  'connectionName',
  'type',
  'value',
]

export const payment: Wanted = { idField: 'id', id: PAYMENT_ID, anyOf: OF_PAYMENT }
export const record: Wanted = { idField: 'paymentId', id: 'rec-1', anyOf: OF_RECORD }
export const WANTED: Readonly<Record<WriteId, Wanted>> = {
  'session.create': {},
  'session.update': {},
  'payment.create': { anyOf: ['id', ...OF_PAYMENT] },
  'payment.authorize': payment,
  'payment.capture': payment,
  'payment.refund': payment,
  'payment.adjust': payment,
  'payment.resume': { ...payment, isResume: true },
  'payment.cancel': payment,
  'observability.push': record,
  'observability.update': record,
  'loyalty.create': { anyOf: OF_POINTS },
  'instrument.default': {},
  'instrument.delete': {},
  'instrument.vault': {},
}

export type Fields = Record<string, unknown>
export const fixture = (name: string): Fields =>
  JSON.parse(readFileSync(`test/fixtures/api/${name}.response.json`, 'utf8'))

/** The service's response to this call. */
export function bodyFor(id: WriteId): string {
  const found = fixture(id)
  if (id.startsWith('payment.')) found['id'] = PAYMENT_ID
  if (id.startsWith('observability.')) found['paymentId'] = 'rec-1'
  if (id.startsWith('instrument.')) found['token'] = METHOD_TOKEN
  return JSON.stringify(found)
}
export const BODIES = new Map(WRITES.map(({ id }) => [id, bodyFor(id)]))
export const DECLINED = JSON.stringify({ ...fixture('payment.create.declined'), id: PAYMENT_ID })

export interface Draft {
  status: string
  headers: [string, string][]
  body: Buffer
  framing: 'length' | 'chunked' | 'none'
}

/** One response on the wire, after up to three mutations. */
export function mutatedAnswer(
  id: WriteId,
  chance: () => number,
): { readonly bytes: Buffer; readonly isWhole: boolean } {
  const below = (count: number) => Math.floor(chance() * count)
  const pick = <T>(list: readonly T[]): T | undefined => list[below(list.length)]
  const draft: Draft = {
    status: '200 OK',
    headers: [
      ['content-type', 'application/json; charset=utf-8'],
      ['x-request-id', 'req-1'],
      ['connection', 'close'],
    ],
    body: Buffer.from((id === 'payment.create' && chance() < 0.3 ? DECLINED : BODIES.get(id)) ?? ''),
    framing: pick(['length', 'chunked', 'none'] as const) ?? 'none',
  }
  const ofBody: readonly (() => void)[] = [
    () => (draft.body = draft.body.subarray(0, below(draft.body.length))),
    () => (draft.body = Buffer.concat([draft.body, draft.body])),
    () =>
      (draft.body = Buffer.concat([
        draft.body,
        Buffer.from(pick(['0', '}', ' ', 'null', '\n{}', '\0']) ?? ''),
      ])),
    () => (draft.body = Buffer.from(draft.body.toString().replaceAll(/"(pay-1|rec-1)"/g, '"other-1"'))),
    () => (draft.body = Buffer.from(draft.body.toString().replace(/"(id|paymentId)":"[^"]*",?/, ''))),
    () => (draft.body = Buffer.from(BODIES.get(pick(WRITES)?.id ?? id) ?? '')),
    () =>
      (draft.body = Buffer.from(
        pick([
          '',
          '{}',
          '[]',
          'null',
          '1',
          '""',
          '<html>down</html>',
          '{"message":"maintenance"}',
          '{"error":{"errorId":"X"}}',
          '{"error":{"description":"no id"}}',
          '{"id":"pay-1"',
          '[{"id":"pay-1"}]',
        ]) ?? '',
      )),
    () => (draft.body = changed(draft.body, below, 1 + below(3))),
    () => (draft.body = gzipSync(draft.body).subarray(0, chance() < 0.5 ? undefined : below(40))),
    () => void (draft.headers.push(['content-encoding', 'gzip']), (draft.body = gzipSync(draft.body))),
    () =>
      void (draft.headers.push(['content-encoding', 'gzip']),
      (draft.body = gzipSync(draft.body).subarray(0, below(60)))),
    () => void (draft.headers.push(['content-encoding', 'gzip']), (draft.body = Buffer.alloc(0))),
  ]
  const ofHead: readonly (() => void)[] = [
    () =>
      (draft.status =
        pick([
          '200',
          '201 Created',
          '202 Accepted',
          '204 No Content',
          '299 x',
          '100 Continue',
          '304 Not Modified',
          '500 x',
        ]) ?? ''),
    () =>
      (draft.headers[0] = [
        'content-type',
        pick(['text/plain', 'text/html', 'application/octet-stream']) ?? '',
      ]),
    () => void draft.headers.shift(),
    () => void draft.headers.push(['content-length', String(below(2_000))]),
    () => void draft.headers.push(['transfer-encoding', pick(['chunked', 'gzip', 'identity']) ?? '']),
    () => void draft.headers.push(['content-encoding', pick(['identity', 'br', 'deflate', 'x-gzip']) ?? '']),
  ]
  const times = below(4)
  for (let turn = 0; turn < times; turn += 1) pick(chance() < 0.65 ? ofBody : ofHead)?.()
  let bytes = written(draft, below)
  if (chance() < 0.15) bytes = bytes.subarray(0, below(bytes.length))
  else if (chance() < 0.05) bytes = changed(bytes, below, 1)
  else if (chance() < 0.03) bytes = Buffer.concat([bytes, bytes])
  return { bytes, isWhole: times === 0 && bytes.equals(written(draft, () => 0)) }
}

export function changed(bytes: Buffer, below: (count: number) => number, times: number): Buffer {
  const copy = Buffer.from(bytes)
  for (let turn = 0; turn < times && copy.length > 0; turn += 1) copy[below(copy.length)] = below(256)
  return copy
}

export function written({ status, headers, body, framing }: Draft, below: (count: number) => number): Buffer {
  const own: [string, string][] =
    framing === 'length'
      ? [['content-length', String(body.length)]]
      : framing === 'chunked'
        ? [['transfer-encoding', 'chunked']]
        : []
  const lines = [...headers, ...own].map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const head = Buffer.from(`HTTP/1.1 ${status}\r\n${lines}\r\n`)
  if (framing !== 'chunked') return Buffer.concat([head, body])
  const middle = below(body.length)
  const pieces = [body.subarray(0, middle), body.subarray(middle)].filter(({ length }) => length > 0)
  const chunks = pieces.flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([head, ...chunks, Buffer.from('0\r\n\r\n')])
}
