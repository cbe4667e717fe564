import { expect } from 'vitest'
import { browserTest } from '../../../support/browser.ts'
import type { Page } from '../../../support/browser.ts'
import { createSpawnBench } from '../../../support/spawn-pay.ts'
import { createPayment, settledPayment, textAt, loggedIn } from '../../../sandbox/service.ts'
import type { Service } from '../../../sandbox/service.ts'
import { openPages } from '../../served-pages.ts'

/** The newest request, as far as a copy has to be the same. */
async function newestOf({ sandbox }: Service) {
  const [entry] = await loggedIn({ sandbox }, 1)
  const found = await sandbox.read(({ store }) => store.requests.find(entry?.requestId ?? ''))
  return {
    id: found?.requestId,
    same: {
      line: `${found?.method} ${found?.path}?${decodeURIComponent(found?.request?.query ?? '')}`,
      body: found?.request?.body,
      version: found?.request?.headers['x-api-version'],
      idempotencyKey: found?.idempotencyKey,
      key: found?.key,
    },
  }
}

async function copy(page: Page, url: string, button: string): Promise<string> {
  await page.goto(url)
  await page.getByRole('button', { name: button }).click()
  await page.getByText('Copied.').waitFor({ state: 'attached' })
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied).toBe(await page.getByRole('group', { name: 'Command' }).innerText())
  return copied
}

const REQUESTS: readonly (readonly [name: string, send: (service: Service) => Promise<unknown>])[] = [
  [
    'a payment with quotes, unicode and an idempotency key',
    (service) =>
      service.call(
        'POST',
        '/payments',
        {
          paymentMethodToken: 'tok_visa',
          orderId: `it's "A" $1 \`x\` é`,
          currencyCode: 'EUR',
          amount: 1000,
          metadata: { n: 1 },
        },
        { headers: { 'x-idempotency-key': "key's-1", 'content-type': 'application/json' } },
      ),
  ],
  [
    'a refund with a body',
    async (service) =>
      service.call('POST', `/payments/${await settledPayment(service)}/refund`, {
        amount: 100,
        reason: '@file',
      }),
  ],
  [
    'a capture without a body',
    async (service) =>
      service.call('POST', `/payments/${textAt(await createPayment(service, 'tok_visa'), 'id')}/capture`),
  ],
  ['a read', async (service) => service.call('GET', `/payments/${await settledPayment(service)}`)],
  [
    'a list with filters',
    (service) => service.call('GET', '/payments?status=SETTLED,DECLINED&limit=5&order_id=a%20b'),
  ],
  [
    'an older version',
    (service) =>
      service.call('GET', '/observability/payments/nothing', undefined, {
        headers: { 'x-api-version': '2021-09-27' },
      }),
  ],
  [
    'a session',
    (service) => service.call('POST', '/client-session', { orderId: 'o', currencyCode: 'EUR', amount: 5 }),
  ],
  [
    'an external record',
    (service) =>
      service.call('POST', '/observability/payments', {
        paymentId: 'x/1',
        currencyCode: 'EUR',
        processor: { name: 'ACME' },
        amount: 1,
        createdAt: '2026-01-01T00:00:00Z',
        order: { id: 'o' },
        paymentMethod: { paymentMethodType: 'PAYPAL' },
      }),
  ],
]

const BUTTONS = ['Copy as curl', 'Copy as pay'] as const

browserTest.for(BUTTONS.flatMap((button) => REQUESTS.map(([name, send]) => [button, name, send] as const)))(
  '%s: %s sends the same request',
  async ([button, , send], { browser }) => {
    const served = await openPages()
    await send(served)
    const original = await newestOf(served)
    const page = await browser.open(served.at('/dashboard'))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const line = await copy(page, served.at(`/dashboard/requests?request=${original.id}`), button)
    expect(line).not.toContain('sandbox_all')
    const bench = createSpawnBench()
    await bench.shell(line, { env: { PAY_API_KEY: 'sandbox_all', PAY_NO_INPUT: '1' } })
    bench.dispose()
    const again = await newestOf(served)
    expect(again.id).not.toBe(original.id)
    // `pay` makes a key where there was none.
    const isKeyMade = button === 'Copy as pay' && original.same.idempotencyKey === undefined
    expect(again.same).toEqual({
      ...original.same,
      ...(isKeyMade ? { idempotencyKey: again.same.idempotencyKey } : {}),
    })
  },
)
