// A service that refunds payments of 49.90 EUR and keeps only what was refunded: as fast as a plain Node server can be.
import { createServer } from 'node:http'

const refunded = new Map()
const used = new Set()

const server = createServer((request, response) => {
  const id = request.url.split('/')[2]
  const answer = (status, body) => {
    const text = JSON.stringify(body)
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    })
    response.end(text)
  }
  const payment = () => ({
    id,
    date: '2026-01-01T00:00:00.000000',
    status: 'SETTLED',
    orderId: `order-${id}`,
    currencyCode: 'EUR',
    amount: 4990,
    processor: { name: 'BENCH', amountCaptured: 4990, amountRefunded: refunded.get(id) ?? 0 },
  })
  if (request.method === 'GET') return answer(200, payment())
  let body = ''
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => {
    const key = request.headers['x-idempotency-key']
    if (used.has(key))
      return answer(409, { error: { errorId: 'IdempotencyKeyAlreadyExists', paymentId: id } })
    used.add(key)
    refunded.set(id, (refunded.get(id) ?? 0) + JSON.parse(body).amount)
    answer(200, payment())
  })
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })),
)
