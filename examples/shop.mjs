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
    <link rel="stylesheet" href="/shop.css">
    <script src="${sandbox}/checkout.js" defer></script>
    <script src="/shop.js" defer></script>
  </head>
  <body>
    <header>Mug shop</header>
    <main>
      <svg viewBox="0 0 200 160" role="img" aria-label="A blue enamel mug">
        <path d="M134 52h20c18 0 28 12 28 28s-10 28-28 28h-22v-14h22c9 0 14-6 14-14s-5-14-14-14h-20z" />
        <path d="M28 32h116l-8 96c-1 8-6 12-14 12H50c-8 0-13-4-14-12z" />
        <rect x="24" y="26" width="124" height="10" rx="5" />
      </svg>
      <section>
        <h1>Two enamel mugs</h1>
        <p class="price">49.90 EUR</p>
        <p>Hand-dipped in Bavaria, happy on a campfire. Delivered to your door, shipping and tax included.</p>
        <button id="buy">Buy</button>
        <p id="message" role="status"></p>
      </section>
      <div id="checkout"></div>
    </main>
  </body>
</html>`

const style = `:root {
  color-scheme: light dark;
  --ink: light-dark(#1d2330, #e9ebf0);
  --blue: light-dark(#24418f, #8fb0ff);
  font: 1.0625rem/1.6 system-ui, sans-serif;
}
body { margin: 0; color: var(--ink); background: light-dark(#f7f5f1, #14161b) }
header { padding: 1rem clamp(1rem, 5vw, 4rem); font-weight: 700; letter-spacing: 0.02em }
main {
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr));
  gap: 1.5rem clamp(1.5rem, 5vw, 4rem);
  align-items: center;
  max-width: 62rem;
  margin: 0 auto;
  padding: 1rem clamp(1rem, 5vw, 2rem) 4rem;
}
svg { width: 100%; padding: 12%; box-sizing: border-box; border-radius: 1.25rem; fill: var(--blue); background: light-dark(#e6ebf7, #1d2333) }
svg rect { fill: light-dark(#152861, #c7d6ff) }
h1 { margin: 0; font-size: clamp(1.75rem, 4vw, 2.5rem); line-height: 1.15; letter-spacing: -0.02em }
.price { margin: 0.5rem 0 1rem; font-size: 1.25rem; font-weight: 600 }
button {
  padding: 0.75rem 2.5rem;
  border: 0;
  border-radius: 2rem;
  color: light-dark(#fff, #10162b);
  background: var(--blue);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
button:disabled { display: none }
#message { min-height: 1.6em; font-weight: 600 }
#checkout { grid-column: 1 / -1 }
#checkout:not(:empty) { padding: clamp(0.5rem, 3vw, 2rem); border-radius: 1.25rem; background: light-dark(#fff, #101318) }
`

const script = `const buy = document.getElementById('buy')
const message = document.getElementById('message')

buy.addEventListener('click', async () => {
  buy.disabled = true
  message.textContent = ''
  const { clientToken } = await (await fetch('/session', { method: 'POST' })).json()
  const place = document.getElementById('checkout')
  const checkout = PayCheckout.mount(place, {
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
  place.scrollIntoView({ block: 'start' })
})
`

const PAID = ['AUTHORIZED', 'SETTLING', 'PARTIALLY_SETTLED', 'SETTLED']

const server = createServer((request, response) => void respond(request, response))

async function respond({ method, url = '' }, response) {
  const send = (status, type, body) => {
    response.writeHead(status, {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': `default-src 'none'; script-src 'self' ${sandbox}; style-src 'self'; frame-src ${sandbox}; connect-src 'self'; img-src data:`,
    })
    response.end(body)
  }
  try {
    if (method === 'GET' && url === '/') return send(200, 'text/html', page)
    if (method === 'GET' && url === '/shop.css') return send(200, 'text/css', style)
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
