import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { errorOf } from '../../support/run-result.ts'

const bench = useBench()

async function json(words: string): Promise<unknown> {
  const result = await bench.runPay(`${words} --json`)
  expect(result, result.stderr).toMatchObject({ exitCode: 0 })
  return JSON.parse(result.stdout)
}

const paths = async (words = '') =>
  JSON.parse((await bench.runPay(`sandbox requests ${words} --query [].path`)).stdout)

async function refundedPayment(): Promise<string> {
  const made = await bench.runPay(
    '--sandbox payment create --token tok_autocapture --amount 1000 --currency EUR --order-id A-1 -o id',
  )
  const id = made.stdout.trim()
  await bench.runPay(`--sandbox payment refund ${id} --amount 100 --idempotency-key ticket-7`)
  return id
}

test('lists what earlier commands sent, newest first', async () => {
  const id = await refundedPayment()
  expect(await json('sandbox requests')).toEqual([
    {
      at: '2026-03-01T12:00:00.000000',
      requestId: expect.any(String),
      method: 'POST',
      path: `/payments/${id}/refund`,
      operation: 'payment.refund',
      payment: id,
      key: 'sandbox_all',
      idempotencyKey: 'ticket-7',
      status: 200,
      applied: true,
      durationMs: 0,
    },
    expect.objectContaining({ method: 'POST', path: '/payments', operation: 'payment.create' }),
  ])
})

test('keeps the bodies of commands, which any process on the folder can read', async () => {
  const id = await refundedPayment()
  const requestId = (await bench.runPay('sandbox requests --limit 1 -o id')).stdout.trim()
  const { stdout } = await bench.runPay(`--sandbox api GET /sandbox/requests/${requestId} --json`)
  const { request, response } = JSON.parse(stdout)
  expect(request.headers).toMatchObject({ 'x-api-key': '{x-api-key}', 'x-idempotency-key': 'ticket-7' })
  expect(JSON.parse(response.body)).toMatchObject({ id, status: 'SETTLED' })
})

test('shows people a table', async () => {
  const id = await refundedPayment()
  const { stdout } = await bench.runPay('sandbox requests', { tty: true, columns: 80 })
  expect(stdout).toContain('METHOD')
  expect(stdout).toContain(`/payments/${id}/refund`)
  expect(stdout).toContain('yes')
})

test('prints request ids and CSV', async () => {
  await refundedPayment()
  expect((await bench.runPay('sandbox requests -o id')).stdout).toMatch(/^([\w-]{36}\n){2}$/)
  expect((await bench.runPay('sandbox requests -o csv')).stdout).toMatch(/^at,requestId,method,path,/)
})

test('shows 20 requests, or as many as requested', async () => {
  for (let count = 0; count < 25; count += 1) await bench.runPay('--sandbox payment list')
  expect(await paths()).toHaveLength(20)
  expect(await paths('--limit 3')).toHaveLength(3)
  expect(await paths('--limit 10000')).toHaveLength(25)
})

test('filters by method and path', async () => {
  const id = await refundedPayment()
  await bench.runPay(`--sandbox payment get ${id}`)
  expect(await paths("--on 'POST /payments/*/refund'")).toEqual([`/payments/${id}/refund`])
  expect(await paths('--on /payments/*')).toEqual([`/payments/${id}`])
  expect(await paths("--on 'POST /**' --limit 1")).toEqual([`/payments/${id}/refund`])
  expect(await paths("--on 'DELETE /**'")).toEqual([])
})

test('an empty log is a sentence for people and an empty array in JSON', async () => {
  expect((await bench.runPay('sandbox requests')).stdout).toBe('No requests in the log.\n')
  expect((await bench.runPay('sandbox requests --json')).stdout).toBe('[]\n')
})

test('clear empties it', async () => {
  await refundedPayment()
  expect(await json('sandbox requests clear')).toEqual([])
  expect(await json('sandbox requests list')).toEqual([])
})

test('controls such as tokenize are not logged', async () => {
  await bench.runPay('sandbox tokenize --card 4111111111111111')
  await bench.runPay('sandbox clock show')
  await bench.runPay('--sandbox api GET /sandbox/clock')
  expect(await json('sandbox requests')).toEqual([])
})

test('every folder has its own log', async () => {
  await refundedPayment()
  expect(await json('sandbox requests --data other')).toEqual([])
})

test.each([
  ['an unknown action', 'sandbox requests claer', 'Did you mean clear?'],
  ['a limit of zero', 'sandbox requests --limit 0', '--limit must be a whole number from 1 to 10000'],
  ['a limit above the size of the log', 'sandbox requests --limit 10001', '--limit must be'],
  ['a limit of letters', 'sandbox requests --limit all', '--limit must be'],
  ['a limit of nothing', 'sandbox requests --limit=', '--limit must be'],
  ['an invalid pattern', 'sandbox requests --on payments', '--on must start with'],
  ['both', 'sandbox requests --on payments --limit x', '--limit: must be'],
  ['a part to clear', "sandbox requests clear --on '/payments'", "clear doesn't take --on"],
])('refuses %s', async (_, words, says) => {
  const result = await bench.runPay(words)
  expect(result).toMatchObject({ exitCode: 2, stdout: '' })
  expect(result.stderr).toContain(says)
})

describe('the controls over `pay --sandbox api`', () => {
  test('GET /sandbox/requests', async () => {
    const id = await refundedPayment()
    expect(await json("--sandbox api GET '/sandbox/requests?limit=1'")).toMatchObject({
      data: [{ path: `/payments/${id}/refund` }],
    })
  })

  test('POST and DELETE /sandbox/faults', async () => {
    const added = await json(
      "--sandbox api POST /sandbox/faults --set 'on=GET /payments' --set do=status=503",
    )
    expect(added).toMatchObject({ id: 1, on: 'GET /payments', do: 'status=503' })
    expect(await bench.runPay('--sandbox payment list')).toMatchObject({ exitCode: 11 })
    expect(await json('--sandbox api DELETE /sandbox/faults')).toEqual({ cleared: 1 })
    expect(await bench.runPay('--sandbox payment list')).toMatchObject({ exitCode: 0 })
  })

  test('a refusal looks like one from the service', async () => {
    const refused = await bench.runPay(
      '--sandbox api POST /sandbox/faults --set on=/payments --set do=explode --json',
    )
    expect(refused).toMatchObject({ exitCode: 3, stdout: '' })
    expect(errorOf(refused)).toMatchObject({
      code: 'invalid_request',
      httpStatus: 422,
      validationErrors: [{ path: '$.do' }],
    })
  })
})

test('shows the fields of a later version that were ignored', async () => {
  const words = ['--sandbox', '--api-version', '2.4', 'session', 'create', '--no-validate']
  expect(await bench.runPay([...words, '--set', 'shiny=1', '--set', 'order.new=1'])).toMatchObject({
    exitCode: 0,
    requests: [{ headers: { 'x-api-version': '2.4' } }],
  })
  expect(await json('sandbox requests')).toMatchObject([{ ignored: ['$.shiny', '$.order.new'] }])
  const { stdout } = await bench.runPay('sandbox requests')
  expect(stdout).toMatch(/IGNORED[^]*\$\.shiny, \$\.order\.new/)
})
