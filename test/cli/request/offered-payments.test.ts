import { describe, expect, test } from 'vitest'
import { jsonAnswer } from '../../support/run-pay.ts'
import { useBench } from '../../support/use-bench.ts'
import { storeProfile } from '../../support/stored-profile.ts'

const bench = useBench()

/** Makes a payment in the sandbox and returns its id. */
async function pay(orderId: string, amount: string, capture = true): Promise<string> {
  const made = await bench.runPay(
    `--sandbox payment create --token tok_visa --order-id ${orderId} --amount '${amount}' -o id`,
  )
  const id = made.stdout.trim()
  if (capture) await bench.runPay(`--sandbox payment capture ${id} -q`)
  return id
}

describe('a missing payment id', () => {
  test('offers refundable payments with id, amount, status, order and time', async () => {
    const [first, second] = [await pay('ORD-77', '12.50 EUR'), await pay('ORD-78', '700 JPY')]
    await pay('ORD-79', '1.00 EUR', false)
    const refunded = await bench.runPay('--sandbox payment refund', {
      answers: { 'Payment ID': first, Amount: '2.50' },
      columns: 200,
    })
    expect(refunded.exitCode).toBe(0)
    expect(refunded.offered['Payment ID']).toEqual([
      `${second}         700 JPY    700 JPY  ✓ Settled  ORD-78  2026-03-01 12:00`,
      `${first}       12.50 EUR  12.50 EUR  ✓ Settled  ORD-77  2026-03-01 12:00`,
    ])
    expect(refunded.requests.map(({ method }) => method)).toEqual(['GET', 'GET', 'GET', 'POST'])
    expect(refunded.requests[3]?.body).toBe('{"amount":250}')
  })

  test('fits 60 columns', async () => {
    const id = await pay('ORD-77', '12.50 EUR')
    const got = await bench.runPay('--sandbox payment get', { answers: { 'Payment ID': id }, columns: 60 })
    expect(got.offered['Payment ID']).toEqual([`${id}  12.50 EUR  ✓ Settled  ORD-77`])
  })

  test('shows what is left to refund and leaves out fully refunded payments', async () => {
    const [first, second] = [await pay('ORD-77', '12.50 EUR'), await pay('ORD-78', '5.00 EUR')]
    await bench.runPay(`--sandbox payment refund ${first} --amount 200`)
    await bench.runPay(`--sandbox payment refund ${second}`)
    const chosen = await bench.runPay('--sandbox payment refund', {
      answers: { 'Payment ID': first, Amount: '' },
    })
    expect(chosen.offered['Payment ID']).toEqual([
      expect.stringContaining(`${first}       10.50 EUR  ✓ Settled, partly refunded  ORD-77`),
    ])
    expect(chosen.requests.at(-1)?.body).toBe('{"amount":1050}')
  })

  test('may be typed even if it is not offered', async () => {
    await pay('ORD-77', '12.50 EUR')
    const other = await pay('ORD-80', '5.00 EUR', false)
    const got = await bench.runPay('--sandbox payment capture', {
      answers: { 'Payment ID': other, Amount: '' },
    })
    expect(got.requests.at(-1)?.url).toContain(`/payments/${other}/capture`)
  })

  test('is typed if there is nothing to offer', async () => {
    const got = await bench.runPay('--sandbox payment get', { answers: { 'Payment ID': 'abc123456' } })
    expect(got).toMatchObject({ exitCode: 5, offered: {} })
  })

  test('in a dry run sends no request', async () => {
    const id = await pay('ORD-77', '12.50 EUR')
    const dry = await bench.runPay('--sandbox payment refund --dry-run', { answers: { 'Payment ID': id } })
    expect(dry).toMatchObject({ exitCode: 0, requests: [], offered: {} })
  })

  test('shows untrusted text safely', async () => {
    await storeProfile(bench, { name: 'shop', baseUrl: 'https://api.example.com', mode: 'test' })
    const evil = {
      id: 'p1',
      status: 'SETTLED',
      orderId: '\u001B[2J\u202Ex\nID  forged',
      amount: 5,
      currencyCode: 'EUR',
    }
    const got = await bench.runPay('-p shop payment get', {
      answers: { 'Payment ID': 'p1' },
      service: ({ url }) => jsonAnswer(200, url.includes('/payments/') ? evil : { data: [evil] }),
    })
    expect(got.offered['Payment ID']).toEqual(['p1  0.05 EUR  ✓ Settled  \\u001b[2J\\u202ex ID  forged'])
  })
})

test('a key that may not list payments is asked for an ID, without mentioning the refusal', async () => {
  await storeProfile(bench, { name: 'shop', baseUrl: 'https://api.example.com', mode: 'test' })
  const got = await bench.runPay('-p shop payment get', {
    answers: { 'Payment ID': 'p1' },
    service: ({ url }) =>
      url.includes('/payments/p1')
        ? jsonAnswer(200, { id: 'p1', status: 'SETTLED' })
        : jsonAnswer(403, { error: { errorId: 'Forbidden', description: 'needs payments:read' } }),
  })
  expect(got).toMatchObject({ exitCode: 0, offered: {} })
  expect(got.stderr).not.toContain('Forbidden')
})

describe('what is typed is searched', () => {
  const typed = async (words: string, command = 'payment get') =>
    bench.runPay(`--sandbox ${command}`, { answers: { 'Payment ID': words }, columns: 200 })

  test('among all payments, by the filters of the service, and the only match is taken', async () => {
    const old = await pay('OLD-1', '12.50 EUR')
    for (let made = 0; made < 51; made += 1) await pay(`NEW-${made}`, '7.00 EUR', false)
    for (const words of ['OLD-1', '12.50 settled', 'order:OLD-1 eur today']) {
      const got = await typed(words)
      expect(got.offered['Payment ID']).toHaveLength(50)
      expect(got.offered['Payment ID']?.join()).not.toContain(old)
      expect(got.requests.at(-1)?.url).toContain(`/payments/${old}`)
      expect(got.offered[`Payment ID: ${words}`]?.at(-1)).toMatch(/^1 found by the service \(.+\)$/)
    }
  })

  test('with the beginning of an order among those listed', async () => {
    const id = await pay('ORD-77', '12.50 EUR')
    await pay('OTHER-1', '5.00 EUR')
    const got = await typed('ord-')
    expect(got.requests.at(-1)?.url).toContain(`/payments/${id}`)
    expect(got.offered['Payment ID: ord-']?.at(-1)).toBe(
      '1 found here ("ord-"). Searched all 2 payments, back to 2026-03-01 12:00. 2 payments were read in full, for e-mails and names',
    )
  })

  test('and a near e-mail is named, never taken', async () => {
    await bench.runPay(
      "--sandbox payment create --token tok_visa --amount '5.00 EUR' --order-id A-1 --email ana.moreau@example.com -o id",
    )
    const refused = await typed('ana.moreua@example.com', 'payment cancel --yes')
    expect(refused.offered['Payment ID: ana.moreua@example.com']?.at(-1)).toContain(
      'No payment of ana.moreua@example.com; similar: ana.moreau@example.com',
    )
    expect(refused.exitCode).toBe(5)
    expect(refused.requests.map(({ method }) => method)).not.toContain('POST')
  })

  test('only among payments that allow the action', async () => {
    const [captured, authorized] = [await pay('A-1', '5.00 EUR'), await pay('A-2', '5.00 EUR', false)]
    const refunded = await bench.runPay('--sandbox payment refund', {
      answers: { 'Payment ID': '5.00', Amount: '1.00' },
    })
    expect(refunded.requests.at(-1)?.url).toContain(`/payments/${captured}/refund`)
    // An ID in full is taken as typed, and the command says why it can't be done.
    const refused = await bench.runPay('--sandbox payment refund', { answers: { 'Payment ID': authorized } })
    expect(refused.stderr).toContain('AUTHORIZED, so it cannot be refunded')
    expect(refused.requests.map(({ method }) => method)).not.toContain('POST')
  })

  test('but a card number is not sent', async () => {
    await pay('A-1', '5.00 EUR')
    const got = await typed('4111 1111 1111 1111')
    expect(got.offered['Payment ID: 4111 1111 1111 1111']?.at(-1)).toContain('ending in 1111')
  })
})
