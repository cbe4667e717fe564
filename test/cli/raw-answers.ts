import type { HttpResponse } from '../../src/client/http/transport-port.ts'

export const MONEY = { PAY_API_KEY: 'key-of-env-0123', PAY_BASE_URL: 'http://127.0.0.1:9' }

export const answer = (body: string, status = 200): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body,
})

export const PAYMENT =
  '{"zeta":1,"id":"p1","status":"SETTLED","amount":700,"currencyCode":"EUR","new":{"b":[1.10,1e400,-0,9007199254740993,123456789012345678901234567890],"a":null},"orderId":"A-1","x":true,"x":false}'

export const LIST = `{"data":[{"id":"p1","amount":700,"extra":9007199254740993},{"id":"p2","amount":800}],"nextCursor":null}`
