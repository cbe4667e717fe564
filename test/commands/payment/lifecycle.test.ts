import { describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import type { RunResult } from '../../support/run-pay.ts'
import { errorOf } from '../../support/run-result.ts'

/** Sequences of commands on the embedded sandbox. */

const bench = useBench()

const pay = (words: readonly string[]) => bench.runPay(['--sandbox', ...words, '--json'])
const create = (token: string, words: readonly string[] = []) =>
  pay(['payment', 'create', '--token', token, '--amount', '10.00 EUR', '--order-id', 'A-1', ...words])

function field(result: RunResult, ...path: readonly string[]): string {
  const found = path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    JSON.parse(result.stdout),
  )
  return String(found)
}

async function challenged(): Promise<{ readonly id: string; readonly clientToken: string }> {
  const created = await create('tok_3ds')
  expect(created).toMatchObject({ exitCode: 0 })
  return { id: field(created, 'id'), clientToken: field(created, 'requiredAction', 'clientToken') }
}

async function resumed(id: string, resumeToken: string): Promise<RunResult> {
  return pay(['payment', 'resume', id, '--resume-token', resumeToken])
}

const challenge = async (clientToken: string, outcome: string) =>
  (await bench.runPay(['sandbox', 'challenge', clientToken, '--outcome', outcome, '-o', 'id'])).stdout.trim()

describe('a 3DS check', () => {
  test('leaves the payment PENDING with exit 0 and says what to do next', async () => {
    const created = await create('tok_3ds')
    expect(created.exitCode).toBe(0)
    expect(field(created, 'status')).toBe('PENDING')
    expect(created.stderr).toContain(`pay --sandbox payment resume ${field(created, 'id')} --resume-token -`)
  })

  test('that passes ends AUTHORIZED', async () => {
    const { id, clientToken } = await challenged()
    const result = await resumed(id, await challenge(clientToken, 'pass'))
    expect(result.exitCode).toBe(0)
    expect(field(result, 'status')).toBe('AUTHORIZED')
  })

  test('that fails ends DECLINED with exit 13 and prints the payment', async () => {
    const { id, clientToken } = await challenged()
    const result = await resumed(id, await challenge(clientToken, 'fail'))
    expect(result.exitCode).toBe(13)
    expect(field(result, 'status')).toBe('DECLINED')
  })

  test('cannot be resumed twice', async () => {
    const { id, clientToken } = await challenged()
    const token = await challenge(clientToken, 'pass')
    await resumed(id, token)
    expect(await resumed(id, token)).toMatchObject({ exitCode: 6, stdout: '' })
  })

  test('takes a resume token from stdin', async () => {
    const { id, clientToken } = await challenged()
    const result = await bench.runPay(['--sandbox', 'payment', 'resume', id, '--resume-token', '-'], {
      stdin: `${await challenge(clientToken, 'pass')}\n`,
    })
    expect(result).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Authorized') })
  })

  test('with an unknown resume token changes nothing', async () => {
    const { id } = await challenged()
    const result = await resumed(id, 'a-token-of-nobody')
    expect(result.exitCode).not.toBe(0)
    expect(field(await pay(['payment', 'get', id]), 'status')).toBe('PENDING')
  })
})

describe('a resume that the service has not finished (202)', () => {
  const envelope = { error: { errorId: 'NoActionsToHandle', description: 'still waiting' } }
  const running = (format: string) =>
    bench.runPay(['payment', 'resume', 'p1', '--resume-token', 'rt-12345', '-o', format], {
      env: { PAY_API_KEY: 'key_of_a_test_0000', PAY_BASE_URL: 'http://127.0.0.1:9' },
      service: ({ method }) => ({
        status: method === 'GET' ? 200 : 202,
        headers: {},
        body: JSON.stringify(method === 'GET' ? { id: 'p1', status: 'PENDING' } : envelope),
      }),
    })

  test('exits 8 and is not resent', async () => {
    const result = await running('json')
    expect(result.exitCode).toBe(8)
    expect(JSON.parse(result.stdout)).toEqual({ id: 'p1', status: 'PENDING' })
    expect(errorOf(result)).toMatchObject({ code: 'not_finished', exitCode: 8 })
    expect(result.requests.filter((request) => request.method === 'POST')).toHaveLength(1)
  })

  test('shows people the payment', async () => {
    const result = await running('table')
    expect(result).toMatchObject({ exitCode: 8, stdout: expect.stringContaining('Pending') })
    expect(result.stderr).toContain('not finished yet')
  })
})

describe('outcomes of test tokens', () => {
  test.each([
    ['tok_visa', 0, 'AUTHORIZED'],
    ['tok_3ds_frictionless', 0, 'AUTHORIZED'],
    ['tok_autocapture', 0, 'SETTLED'],
    ['tok_declined', 13, 'DECLINED'],
    ['tok_hard_declined', 13, 'DECLINED'],
    ['tok_failed', 13, 'FAILED'],
  ])('%s exits %d with %s', async (token, exitCode, status) => {
    const created = await create(token)
    expect(created.exitCode).toBe(exitCode)
    expect(field(created, 'status')).toBe(status)
  })

  test('an unknown token creates no payment: exit 3', async () => {
    const created = await create('tok_nobody')
    expect(created).toMatchObject({ exitCode: 3, stdout: '' })
    expect(created.stderr).toContain('payment_not_created')
    expect(created.stderr).not.toContain('tok_nobody')
  })

  test('a declined payment can be authorized through another processor', async () => {
    const id = field(await create('tok_declined'), 'id')
    const words = ['payment', 'authorize', id, '--processor-merchant-id']
    expect(await pay([...words, 'nobody'])).toMatchObject({ exitCode: 3 })
    expect(await pay([...words, 'shared-1'])).toMatchObject({ exitCode: 3 })
    const result = await pay([...words, 'shared-1', '--processor', 'SANDBOX_GAMMA'])
    expect([0, 13]).toContain(result.exitCode)
    expect(JSON.parse(result.requests.at(-1)?.body ?? '')).toEqual({
      processor: { processorMerchantId: 'shared-1', name: 'SANDBOX_GAMMA' },
    })
  })

  test('a partial capture exits 3 if the processor does not support it', async () => {
    const id = field(await create('tok_nopartial'), 'id')
    expect(await pay(['payment', 'capture', id, '--amount', '1'])).toMatchObject({ exitCode: 3, stdout: '' })
    expect(await pay(['payment', 'capture', id])).toMatchObject({ exitCode: 0 })
  })

  test('only an estimated payment can be adjusted', async () => {
    const estimated = field(await create('tok_visa', ['--authorization-type', 'ESTIMATED']), 'id')
    const adjusted = await pay(['payment', 'adjust', estimated, '--amount', '12.50 EUR'])
    expect(field(adjusted, 'amount')).toBe('1250')
    const final = field(await create('tok_visa'), 'id')
    expect(await pay(['payment', 'adjust', final, '--amount', '1250'])).toMatchObject({ exitCode: 3 })
  })

  test('a cancelled payment can be neither captured nor cancelled again: exit 6', async () => {
    const id = field(await create('tok_visa'), 'id')
    expect(field(await pay(['payment', 'cancel', id, '--reason', 'sold out']), 'status')).toBe('CANCELLED')
    expect(await pay(['payment', 'cancel', id])).toMatchObject({ exitCode: 6, stdout: '' })
    expect(await pay(['payment', 'capture', id])).toMatchObject({ exitCode: 6, stdout: '' })
  })
})

describe('the clock of the sandbox', () => {
  test('settles a capture of an asynchronous method', async () => {
    const id = field(await create('tok_async'), 'id')
    expect(field(await pay(['payment', 'capture', id]), 'status')).toBe('SETTLING')
    await bench.runPay('sandbox clock advance 2h')
    expect(field(await pay(['payment', 'get', id]), 'status')).toBe('SETTLED')
  })

  test('fails a refund and restores its amount', async () => {
    const id = field(await create('tok_refund_fails'), 'id')
    await pay(['payment', 'capture', id])
    const refund = await pay(['payment', 'refund', id, '--amount', '4.00 EUR'])
    expect(refund.exitCode).toBe(0)
    expect(field(refund, 'processor', 'amountRefunded')).toBe('400')
    await bench.runPay('sandbox clock advance 2h')
    const after = await pay(['payment', 'get', id])
    expect(field(after, 'processor', 'amountRefunded')).toBe('0')
    expect(after.stdout).toContain('"FAILED"')
  })

  test('settles a refund, which reduces the refundable amount', async () => {
    const id = field(await create('tok_visa'), 'id')
    await pay(['payment', 'capture', id])
    await pay(['payment', 'refund', id, '--amount', '400', '--order-id', 'R-1', '--reason', 'torn'])
    await bench.runPay('sandbox clock advance 2h')
    const after = await pay(['payment', 'get', id])
    expect(field(after, 'processor', 'amountRefunded')).toBe('400')
    expect(after.stdout).toContain('"R-1"')
    expect(await pay(['payment', 'refund', id, '--amount', '601'])).toMatchObject({ exitCode: 3 })
    expect(await pay(['payment', 'refund', id])).toMatchObject({ exitCode: 0 })
    expect(await pay(['payment', 'refund', id])).toMatchObject({ exitCode: 6, stdout: '' })
  })
})

test('omitted fields of a payment come from the session of its token', async () => {
  const session = await bench.runPay(
    "--sandbox session create --order-id S-1 --amount '12.00 EUR' --metadata a=1 --json",
  )
  const clientToken = field(session, 'clientToken')
  const token = await bench.runPay(
    `sandbox tokenize --card 4111111111111111 --client-token ${clientToken} -o id`,
  )
  const created = await pay(['payment', 'create', '--token', token.stdout.trim()])
  expect(JSON.parse(created.stdout)).toMatchObject({ orderId: 'S-1', amount: 1200, currencyCode: 'EUR' })
  // A token from the checkout works only once.
  expect(await pay(['payment', 'create', '--token', token.stdout.trim()])).toMatchObject({ exitCode: 3 })
})

test('the service refuses a payment without amount, currency and order: exit 3', async () => {
  expect(await pay(['payment', 'create', '--token', 'tok_visa'])).toMatchObject({ exitCode: 3, stdout: '' })
})
