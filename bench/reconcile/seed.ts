/** Fills a sandbox with payments of January 2026, a twentieth of them refunded, and writes a settlement file of them. Usage: node seed.mjs FOLDER COUNT FILE */
import { createWriteStream } from 'node:fs'
import { openSandbox } from '../../src/sandbox/sandbox.ts'

const [folder = '', count = '0', file = ''] = process.argv.slice(2)
const START_MS = Date.parse('2026-01-01T00:00:00Z')
const MONTH_MS = 30 * 86_400_000
let nowMs = START_MS
const sandbox = await openSandbox({ folder, now: () => new Date(nowMs), random: Math.random })
const headers = { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1' }
const out = createWriteStream(file)
out.write('paymentId,orderId,kind,amount,currencyCode,createdAt\n')

async function post(url: string, body: unknown): Promise<string> {
  const { status, body: text } = await sandbox.handle({
    method: 'POST',
    url,
    headers,
    body: JSON.stringify(body),
  })
  if (status !== 200) throw new Error(`${url} was answered ${status}`)
  const { id }: { readonly id: string } = JSON.parse(text)
  return id
}

/** Writes a row, but for each thousandth, and each other one twice. */
function write(number: number, cells: readonly (string | number)[]): void {
  const line = `${[...cells, 'EUR', new Date(nowMs).toISOString()].join(',')}\n`
  if (number % 1000 !== 999) out.write(number % 1000 === 499 ? line.repeat(2) : line)
}

async function add(number: number): Promise<void> {
  const [amount, orderId] = [1000 + (number % 9000), `order-${number}`]
  const id = await post('/payments', {
    paymentMethodToken: 'tok_autocapture',
    orderId,
    currencyCode: 'EUR',
    amount,
  })
  write(number, [id, orderId, 'payment', amount])
  if (number % 20 !== 0) return
  await post(`/payments/${id}/refund`, { amount: 500 })
  write(number, [id, orderId, 'refund', -500])
}

const PER_COMMIT = 100
for (let first = 0; first < Number(count); first += PER_COMMIT) {
  nowMs = START_MS + Math.floor((first / Number(count)) * MONTH_MS)
  await Promise.all(
    Array.from({ length: Math.min(PER_COMMIT, Number(count) - first) }, (_, at) => add(first + at)),
  )
}
nowMs = START_MS + 2 * MONTH_MS
await sandbox.close()
await new Promise((resolve) => out.end(resolve))
