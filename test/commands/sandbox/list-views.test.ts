import { describe, expect, test } from 'vitest'
import { plainPaint } from '../../../src/output/paint.ts'
import { faultListView, faultView } from '../../../src/commands/sandbox/faults.ts'
import { requestListView } from '../../../src/commands/sandbox/requests.ts'

const drop = {
  id: 1,
  on: 'POST /payments/*/refund',
  do: 'drop-after',
  rate: 1,
  seed: 250_000,
  skip: 0,
  matched: 12,
  fired: 12,
}
const some = {
  ...drop,
  id: 12,
  on: '* /**',
  do: 'status=503',
  rate: 0.2,
  seed: 7,
  times: 3,
  skip: 5,
  fired: 2,
}
const dated = { ...drop, id: 3, do: '429=Sun, 01 Mar 2026 12:00:30 GMT', skip: 1, matched: 0, fired: 0 }
const faults = [drop, some, dated]

const refund = {
  at: '2026-03-01T12:00:00.000000',
  requestId: 'r-4',
  method: 'POST',
  path: '/payments/p12345678/refund',
  operation: 'payment.refund',
  key: 'sandbox_all',
  idempotencyKey: '00000000-0000-4000-8000-000000000002',
  fault: 'drop-after',
  applied: true,
}
const requests = [
  {
    ...refund,
    requestId: 'r-5',
    fault: undefined,
    status: 409,
    errorId: 'IdempotencyKeyAlreadyExists',
    applied: false,
  },
  refund,
  {
    at: '2026-03-01T11:59:59.000000',
    requestId: 'r-3',
    method: 'GET',
    path: '/payments',
    status: 401,
    errorId: 'Unauthorized',
    applied: false,
  },
  {
    at: '2026-03-01T11:59:58.000000',
    requestId: 'r-2',
    method: 'GET',
    path: `/${'long/'.repeat(20)}`,
    key: 'unknown',
    status: 404,
    errorId: 'NotFound',
    applied: false,
  },
]

const at = (width: number | undefined) => ({ paint: plainPaint, width, timeZone: 'America/New_York' })

describe.each([80, 60])('at %i columns', (width) => {
  test.each([
    ['faults', () => faultListView.render(faults, at(width))],
    ['faults-empty', () => faultListView.render([], at(width))],
    ['requests', () => requestListView.render(requests, at(width))],
    ['requests-empty', () => requestListView.render([], at(width))],
  ])('shows %s', async (name, render) => {
    await expect(`${render()}\n`).toMatchFileSnapshot(`../../golden/views/${name}-${width}.txt`)
  })
})

test('shows every column of a request in a pipe', async () => {
  await expect(`${requestListView.render(requests, at(undefined))}\n`).toMatchFileSnapshot(
    '../../golden/views/requests-pipe.txt',
  )
})

test('a single fault looks like its line in the list', () => {
  expect(faultView.render(some, at(80))).toBe(faultListView.render([some], at(80)))
  expect(faultView.ids(some)).toEqual(['12'])
})

test('lists the ids', () => {
  expect(faultListView.ids(faults)).toEqual(['1', '12', '3'])
  expect(requestListView.ids(requests)).toEqual(['r-5', 'r-4', 'r-3', 'r-2'])
})

test('shows no control characters from a client', () => {
  const evil = '\u001B[2J\u202E'
  const text = requestListView.render(
    [{ ...refund, at: evil, method: evil, path: evil, idempotencyKey: evil, errorId: evil }],
    at(undefined),
  )
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
