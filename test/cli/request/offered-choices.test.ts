import { beforeEach, describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { storeProfile } from '../../support/stored-profile.ts'

const bench = useBench()

test('a missing currency offers those of ISO 4217', async () => {
  const pushed = await bench.runPay(
    '--sandbox observability push --payment-id x --processor P --order-id o --payment-method-type PAYPAL --created-at 2026-01-31T09:30:00Z',
    { answers: { Currency: 'KWD', Amount: '1.234' } },
  )
  expect(JSON.parse(pushed.requests[0]?.body ?? '')).toMatchObject({ currencyCode: 'KWD', amount: 1234 })
  expect(pushed.offered['Currency']).toContain('EUR')
})

describe('a missing profile', () => {
  beforeEach(async () => {
    await storeProfile(bench, { name: 'shop', baseUrl: 'https://api.example.com', mode: 'live' })
    await storeProfile(bench, { name: 'lab', baseUrl: 'https://sandbox.example.com', mode: 'test' })
  })

  test('is chosen by name, mode and base URL', async () => {
    const used = await bench.runPay('profile use', { answers: { Profile: 'lab' } })
    expect(used.stdout).toContain('The default profile is lab.')
    expect(used.offered['Profile']?.map((line) => line.replace('  (default)', ''))).toEqual([
      'shop  LIVE  https://api.example.com',
      'lab  test  https://sandbox.example.com',
      'sandbox',
    ])
  })

  test.each(['profile use', 'profile remove', 'profile set', 'profile rename'])(
    'is an error of pay %s in a script',
    async (line) => {
      const refused = await bench.runPay(line)
      expect(refused).toMatchObject({ exitCode: 2, questions: [] })
      expect(refused.stderr).toMatch(/Missing: (?:NAME|OLD)/)
    },
  )
})

describe('the sandbox', () => {
  test('offers its cards', async () => {
    const made = await bench.runPay('sandbox tokenize', { answers: { Card: '4000000000000002' } })
    expect(made.exitCode).toBe(0)
    expect(made.offered['Card']?.[0]).toMatch(/^4111111111111111 {2}\S/)
  })

  test('asks whether the customer passes the challenge', async () => {
    const waiting = await bench.runPay(
      "--sandbox payment create --token tok_3ds --order-id A --amount '5.00 EUR' --query requiredAction.clientToken -o id",
    )
    const played = await bench.runPay('sandbox challenge', {
      answers: { 'Client token': waiting.stdout.trim(), Outcome: 'pass' },
    })
    expect(played.exitCode).toBe(0)
  })
})
