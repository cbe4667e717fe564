import { expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { SERVICE_ENV } from '../../support/error-envelope.ts'
import { errorOf } from '../../support/run-result.ts'
import { PAID, listing } from './order-listing.ts'

const bench = useBench()

/** Every verb that takes an ID, with what else it needs. */
const VERBS = [
  ['get', ''],
  ['explain', ''],
  ['wait', '--until SETTLED'],
  ['authorize', '--processor-merchant-id beta-1'],
  ['capture', '--amount 5'],
  ['refund', '--amount "5.00 EUR"'],
  ['adjust', '--amount 5'],
  ['resume', '--resume-token resume-0123456789'],
  ['cancel', '--reason late'],
] as const

test.each(VERBS)('payment %s takes --order', async (verb, flags) => {
  const done = await bench.runPay(`payment ${verb} --order A-1 ${flags}`, listing([PAID]))
  expect(done.stderr).toContain('Order A-1: payment p1')
  expect(done.requests.some(({ url }) => url.includes('/payments/p1'))).toBe(true)

  const both = await bench.runPay(`payment ${verb} p1 --order A-1 ${flags} --json`, { env: SERVICE_ENV })
  expect(both).toMatchObject({ exitCode: 2, requests: [] })
  expect(errorOf(both)).toMatchObject({ code: 'two_sources' })

  const none = await bench.runPay(`payment ${verb} --order A-1 ${flags} --json`, listing([]))
  expect(none.exitCode).toBe(5)
  expect(errorOf(none)).toMatchObject({ code: 'no_such_order' })

  const several = await bench.runPay(
    `payment ${verb} --order A-1 ${flags} --json`,
    listing([PAID, { ...PAID, id: 'p2' }]),
  )
  expect(several.exitCode).toBe(2)
  expect(errorOf(several)).toMatchObject({ code: 'several_payments', next: [/p1$/, /p2$/].map(matching) })
})

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern)

test.each(VERBS)(
  'payment %s with an order in place of the ID shows the line that finds it',
  async (verb, flags) => {
    await bench.runPay("--sandbox payment create --token tok_visa --amount '49.90 EUR' --order-id A-7")
    const found = await bench.runPay(`--sandbox payment ${verb} A-7 ${flags} --json`)
    expect(found).toMatchObject({ exitCode: 5, stdout: '' })
    const shown = flags.replace('resume-0123456789', '[redacted]')
    expect(errorOf(found)).toMatchObject({
      code: 'payment_not_found',
      hint: expect.stringContaining('an order A-7'),
      next: [`pay --sandbox payment ${verb} --order A-7 ${shown} --json`.replace('  ', ' ')],
    })
  },
)

test('an ID that is no order either leads to the list', async () => {
  const found = await bench.runPay('--sandbox payment get A-7 --json')
  expect(errorOf(found)).toMatchObject({ code: 'payment_not_found', next: ['pay --sandbox payment list'] })
})

test('an e-mail in place of the ID leads to the search', async () => {
  const found = await bench.runPay('--sandbox payment refund ada@example.com --json')
  expect(errorOf(found)).toMatchObject({
    code: 'payment_not_found',
    next: ['pay --sandbox find ada@example.com'],
  })
})

test('a flag with the same value leaves only the line that reads', async () => {
  await bench.runPay("--sandbox payment create --token tok_visa --amount '49.90 EUR' --order-id A-7")
  const found = await bench.runPay('--sandbox payment refund A-7 --reason A-7 --json')
  expect(errorOf(found)).toMatchObject({ next: ['pay --sandbox payment get --order A-7'] })
})
