import { Agent, request } from 'node:http'

/** Fills a served sandbox with payments of every kind through its API, a fifth of them external. The same each time. */
export async function fill(url, count, connections = 64) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let next = 0
  const work = async () => {
    for (let at = next++; at < count; at = next++) await createRecord(url, agent, at)
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
}

const TOKENS = [
  'tok_visa',
  'tok_visa',
  'tok_mastercard',
  'tok_autocapture',
  'tok_autocapture',
  'tok_async',
  'tok_paypal',
  'tok_declined',
  'tok_failed',
  'tok_3ds',
]
const CURRENCIES = ['EUR', 'EUR', 'EUR', 'USD', 'GBP', 'JPY', 'KWD']
const STATUSES = ['SETTLED', 'DECLINED', 'AUTHORIZED', 'FAILED']
const COUNTRIES = ['DE', 'FR', 'US', 'NL', 'JP']
const pick = (list, at) => list[at % list.length]

function createRecord(url, agent, at) {
  const amount = 100 + ((at * 7919) % 90_000)
  const common = { amount, currencyCode: pick(CURRENCIES, at) }
  if (at % 5 === 4)
    return post(`${url}/observability/payments`, agent, {
      ...common,
      paymentId: `ext-${String(at).padStart(6, '0')}`,
      createdAt: new Date(Date.now() - at * 60_000).toISOString(),
      status: pick(STATUSES, at >> 2),
      processor: { name: pick(['ADYEN', 'STRIPE', 'OTHER'], at) },
      order: { id: `order-${at}` },
      paymentMethod: { paymentMethodType: pick(['PAYMENT_CARD', 'PAYPAL'], at) },
    })
  return post(`${url}/payments`, agent, {
    ...common,
    paymentMethodToken: pick(TOKENS, at),
    orderId: `order-${at}`,
    customerId: `customer-${at % 5000}`,
    customer: { emailAddress: `someone-${at % 5000}@example.com`, firstName: 'Ada', lastName: 'Lovelace' },
    order: {
      countryCode: pick(COUNTRIES, at),
      lineItems: [{ itemId: `item-${at % 300}`, name: 'A pair of shoes', quantity: 1, amount }],
    },
    metadata: { basket: at, channel: 'web' },
  })
}

function post(url, agent, body) {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method: 'POST',
        agent,
        headers: { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1', 'content-type': 'application/json' },
      },
      (response) => {
        response.resume()
        response.on('end', () =>
          response.statusCode === 200 ? resolve() : reject(new Error(`${url}: HTTP ${response.statusCode}`)),
        )
      },
    )
    sent.on('error', reject)
    sent.end(JSON.stringify(body))
  })
}
