/** Fills a sandbox with records through the service. Usage: node seed.mjs FOLDER COUNT */
import { openSandbox } from '../../src/sandbox/sandbox.ts'

const [folder = '', count = '0'] = process.argv.slice(2)
const sandbox = await openSandbox({ folder, now: () => new Date(), random: Math.random })
const headers = { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1' }

async function push(number: number): Promise<void> {
  const id = `seed-${Math.floor(Math.random() * 2 ** 52).toString(36)}-${number}`
  const { status } = await sandbox.handle({
    method: 'POST',
    url: '/observability/payments',
    headers,
    body: `{"paymentId":"${id}","currencyCode":"EUR","processor":{"name":"ACME_PAY"},"amount":${number},"createdAt":"2026-03-04T05:06:07Z","order":{"id":"order-${id}"},"paymentMethod":{"paymentMethodType":"PAYMENT_CARD"},"status":"SETTLED","metadata":{"shop":"north","till":7}}`,
  })
  if (status !== 200) throw new Error(`record ${number} was answered ${status}`)
}

const PER_COMMIT = 2_000
for (let first = 0; first < Number(count); first += PER_COMMIT) {
  const numbers = Array.from(
    { length: Math.min(PER_COMMIT, Number(count) - first) },
    (_, index) => first + index,
  )
  await Promise.all(numbers.map(push))
}
await sandbox.close()
