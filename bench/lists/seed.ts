/** Fills a sandbox with records through the service, every second one a payment. Usage: node seed.mjs FOLDER COUNT */
import { openSandbox } from '../../src/sandbox/sandbox.ts'

const [folder = '', count = '0'] = process.argv.slice(2)
const START_MS = Date.parse('2026-03-04T05:06:07Z')
let nowMs = START_MS
const sandbox = await openSandbox({ folder, now: () => new Date(nowMs), random: Math.random })
const headers = { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1' }

const TOKENS = ['tok_visa', 'tok_mastercard', 'tok_autocapture', 'tok_declined', 'tok_paypal']

const paymentOf = (number: number) => ({
  paymentMethodToken: TOKENS[number % TOKENS.length],
  orderId: `order-${number}`,
  customerId: `customer-${number % 5000}`,
  currencyCode: 'EUR',
  amount: 100 + number,
  customer: { emailAddress: `someone-${number % 5000}@example.com` },
  order: { countryCode: 'DE', lineItems: [{ itemId: `item-${number}`, quantity: 1, amount: 100 + number }] },
  metadata: { shop: 'north', till: 7 },
})

const recordOf = (number: number) => ({
  paymentId: `ext-${number}`,
  currencyCode: 'EUR',
  processor: { name: 'ACME_PAY' },
  amount: number,
  createdAt: new Date(nowMs).toISOString(),
  order: { id: `order-${number}` },
  paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
  status: 'SETTLED',
  metadata: { shop: 'north', till: 7 },
})

async function add(number: number): Promise<void> {
  const [url, body] =
    number % 2 === 0 ? ['/payments', paymentOf(number)] : ['/observability/payments', recordOf(number)]
  const { status } = await sandbox.handle({ method: 'POST', url, headers, body: JSON.stringify(body) })
  if (status !== 200) throw new Error(`record ${number} was answered ${status}`)
}

/** Created at the same time, so that a page has payments and external records. */
const PER_COMMIT = 100
for (let first = 0; first < Number(count); first += PER_COMMIT) {
  const last = Math.min(first + PER_COMMIT, Number(count))
  nowMs = START_MS + first * 1000
  await Promise.all(Array.from({ length: last - first }, (_, index) => add(first + index)))
}
await sandbox.close()
