// A service with as many payments as its argument says, made up page by page. Usage: node service.mjs COUNT
import { createServer } from 'node:http'

const count = Number(process.argv[2])

const payment = (number) => ({
  id: `pay${String(number).padStart(8, '0')}`,
  date: '2026-01-01T00:00:00.000000',
  status: 'SETTLED',
  orderId: `order-${number}`,
  customerId: `customer-${number % 5000}`,
  currencyCode: 'EUR',
  amount: 4990,
  customer: { emailAddress: `someone-${number % 5000}@example.com` },
  order: { countryCode: 'DE', lineItems: [{ itemId: `item-${number}`, quantity: 1, amount: 4990 }] },
  paymentMethod: {
    paymentMethodType: 'PAYMENT_CARD',
    paymentMethodData: { last4Digits: '1111', network: 'VISA' },
  },
  processor: { name: 'BENCH', amountCaptured: 4990, amountRefunded: 0 },
  metadata: { shop: 'north', till: 7 },
})

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost')
  const from = Number(searchParams.get('cursor') ?? 0)
  const to = Math.min(from + Number(searchParams.get('limit') ?? 100), count)
  const [, number] = /\/pay(\d+)$/.exec(pathname) ?? []
  const body =
    number === undefined
      ? {
          data: Array.from({ length: to - from }, (_, index) => payment(from + index)),
          ...(to < count ? { nextCursor: String(to) } : {}),
        }
      : payment(Number(number))
  const text = JSON.stringify(body)
  response.writeHead(pathname.endsWith('/payments') || number !== undefined ? 200 : 404, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  })
  response.end(text)
})
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ url: `http://127.0.0.1:${server.address().port}` })),
)
