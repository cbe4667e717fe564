// A shop with one product, and the checkout on its own page. Usage:
//   pay sandbox start --background
//   node examples/shop.mjs            # then open http://127.0.0.1:4020
import { createServer } from 'node:http'

const sandbox = process.env.SANDBOX_URL ?? 'http://127.0.0.1:4010'
// The API key stays on the server. The browser gets a client token, which can pay for one session and nothing else.
const apiKey = process.env.PAY_API_KEY ?? 'sandbox_all'
const port = Number(process.env.PORT ?? 4020)

/** Only the server decides what an order costs. */
async function createSession() {
  const response = await fetch(`${sandbox}/client-session`, {
    method: 'POST',
    headers: { 'X-API-KEY': apiKey, 'X-Api-Version': '2.1', 'Content-Type': 'application/json' },
    body: JSON.stringify({
      orderId: `order-${Date.now()}`,
      currencyCode: 'EUR',
      order: {
        lineItems: [{ itemId: 'mug', name: 'Enamel mug', quantity: 2, amount: 1990, taxAmount: 520 }],
        shipping: { amount: 490 },
      },
    }),
  })
  if (!response.ok) throw new Error(`no client session: ${response.status} ${await response.text()}`)
  return response.json()
}

/** The customer's browser could claim anything, so the server asks the service before it ships. */
async function readPayment(id) {
  const response = await fetch(`${sandbox}/payments/${encodeURIComponent(id)}`, {
    headers: { 'X-API-KEY': apiKey, 'X-Api-Version': '2.1' },
  })
  return response.ok ? response.json() : undefined
}

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Mug shop</title>
    <link rel="icon" href="data:,">
    <script src="${sandbox}/checkout.js" defer></script>
    <script src="/shop.js" defer></script>
  </head>
  <body>
    <main>
      <h1>Mug shop</h1>
      <p>Two enamel mugs, delivered to your door.</p>
      <button id="buy">Buy</button>
      <p id="message" role="status"></p>
      <div id="checkout"></div>
    </main>
  </body>
</html>`

const script = `const buy = document.getElementById('buy')
const message = document.getElementById('message')

buy.addEventListener('click', async () => {
  buy.disabled = true
  message.textContent = ''
  const { clientToken } = await (await fetch('/session', { method: 'POST' })).json()
  const checkout = PayCheckout.mount(document.getElementById('checkout'), {
    clientToken,
    async onComplete({ paymentId }) {
      const order = await (await fetch('/orders/' + paymentId)).json()
      checkout.unmount()
      message.textContent = order.paid ? 'Thank you. Your mugs are on their way.' : 'We wait for your payment.'
    },
    onFail({ reason }) {
      message.textContent = 'The payment failed (' + reason + '). You can try again below.'
    },
    onCancel() {
      checkout.unmount()
      buy.disabled = false
      message.textContent = 'Your mugs are still in the basket.'
    },
  })
})
`

const PAID = ['AUTHORIZED', 'SETTLING', 'PARTIALLY_SETTLED', 'SETTLED']

const server = createServer((request, response) => void respond(request, response))

async function respond({ method, url = '' }, response) {
  const send = (status, type, body) => {
    response.writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': `default-src 'none'; script-src 'self' ${sandbox}; frame-src ${sandbox}; connect-src 'self'; img-src data:`,
    })
    response.end(body)
  }
  try {
    if (method === 'GET' && url === '/') return send(200, 'text/html', page)
    if (method === 'GET' && url === '/shop.js') return send(200, 'text/javascript', script)
    if (method === 'POST' && url === '/session') {
      const { clientToken } = await createSession()
      return send(200, 'application/json', JSON.stringify({ clientToken }))
    }
    if (method === 'GET' && url.startsWith('/orders/')) {
      const payment = await readPayment(decodeURIComponent(url.slice('/orders/'.length)))
      return send(200, 'application/json', JSON.stringify({ paid: PAID.includes(payment?.status) }))
    }
    return send(404, 'text/plain', 'not found')
  } catch (error) {
    console.error(error)
    return send(502, 'text/plain', 'The payment service does not answer. Please try again.')
  }
}

server.listen(port, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`))
