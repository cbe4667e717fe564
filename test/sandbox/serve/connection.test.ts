import { expect, test } from 'vitest'
import { openServed, serve } from './over-http.ts'
import { answersIn, openRaw, requestText } from './raw-client.ts'
import { echoing } from './echoing.ts'

const echoed = (answers: ReturnType<typeof answersIn>): unknown[] =>
  answers.map(({ body }): unknown => JSON.parse(body))

test('a connection serves several requests', async () => {
  const server = await serve(echoing())
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/a'))
  await client.until(/"\/a"/)
  client.send(requestText('POST', '/b', '{}'))
  const answers = answersIn(await client.until(/"\/b"/))
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'content-length': '27',
    'x-request-id': 'r-1',
    date: expect.any(String),
  })
  expect(
    Object.keys(answers[0]?.headers ?? {})
      .toSorted()
      .join(' '),
  ).toBe(
    'connection content-length content-security-policy content-type cross-origin-resource-policy date keep-alive referrer-policy x-content-type-options x-frame-options x-request-id',
  )
})

test('pipelined requests are processed and answered in their order', async () => {
  const service = await openServed()
  const client = await openRaw(service.server.port)
  const records = Array.from(
    { length: 20 },
    (_, index) =>
      `{"paymentId":"p-${index % 10}","currencyCode":"EUR","processor":{"name":"P"},"amount":1,"createdAt":"2026-03-04T05:06:07Z","order":{"id":"o"},"paymentMethod":{"paymentMethodType":"PAYMENT_CARD"}}`,
  )
  client.send(records.map((record) => requestText('POST', '/observability/payments', record)).join(''))
  client.endSending()
  const answers = answersIn((await client.untilClosed()).text)
  // The second ten see the first ten.
  expect(answers.map(({ status }) => status)).toEqual([
    ...Array.from({ length: 10 }, () => 200),
    ...Array.from({ length: 10 }, () => 409),
  ])
  for (const [index, { body }] of answers.slice(0, 10).entries()) expect(body).toContain(`"p-${index}"`)
})

test('a read that is pipelined after a write sees it', async () => {
  const { server } = await openServed()
  const client = await openRaw(server.port)
  const payment = `{"paymentMethodToken":"tok_visa","orderId":"o","currencyCode":"EUR","amount":5}`
  const pair = requestText('POST', '/payments', payment) + requestText('GET', '/payments')
  client.send(pair + pair)
  client.endSending()
  const reads = answersIn((await client.untilClosed()).text).filter((_, index) => index % 2 === 1)
  expect(reads.map(({ body }) => body.split('"orderId"').length - 1)).toEqual([1, 2])
})

test('a request waits for the response to the one before it', async () => {
  const open: (() => void)[] = []
  const echo = echoing()
  const server = await serve({
    handle: async (request) => {
      if (request.url === '/slow') await new Promise<void>((resolve) => open.push(resolve))
      return echo.handle(request)
    },
  })
  const client = await openRaw(server.port)
  client.send(requestText('GET', '/slow') + requestText('GET', '/quick'))
  await expect.poll(() => open.length).toBe(1)
  expect(echo.asked).toEqual([])
  for (const go of open) go()
  expect(echoed(answersIn(await client.until(/quick/)))).toMatchObject([{ url: '/slow' }, { url: '/quick' }])
})
