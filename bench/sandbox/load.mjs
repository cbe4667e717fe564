// A load generator: each of many connections sends records, one after another. Usage: node load.mjs '{"port":..,"connections":32,"seconds":3,..}'
import { performance } from 'node:perf_hooks'
import { rawClient } from './raw-client.mjs'

const { port, connections = 32, seconds = 3, warmup = 1, prefix = 'bench' } = JSON.parse(process.argv[2])

const started = performance.now()
const measureFrom = started + warmup * 1000
const end = measureFrom + seconds * 1000
let answered = 0
let refused = 0
const times = []

/** The smallest record that the operation accepts, with a random ID. */
function nextRequest() {
  const id = `${prefix}-${Math.floor(Math.random() * 2 ** 52).toString(36)}-${process.pid}`
  const body = `{"paymentId":"${id}","currencyCode":"EUR","processor":{"name":"ACME_PAY"},"amount":${1 + Math.floor(Math.random() * 99_999)},"createdAt":"2026-03-04T05:06:07Z","order":{"id":"order-${id}"},"paymentMethod":{"paymentMethodType":"PAYMENT_CARD"},"status":"SETTLED","metadata":{"shop":"north","till":7}}`
  return `POST /observability/payments HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-API-KEY: sandbox_all\r\nX-Api-Version: 2.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

function client() {
  let sentAt = 0
  return rawClient(port, {
    next: () => {
      sentAt = performance.now()
      return sentAt < end ? nextRequest() : undefined
    },
    onResponse: (answer) => {
      const now = performance.now()
      if (now < measureFrom || now >= end) return
      if (answer.startsWith('HTTP/1.1 200')) answered += 1
      else refused += 1
      times.push(now - sentAt)
    },
  })
}

await Promise.all(Array.from({ length: connections }, client))
times.sort((a, b) => a - b)
const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))]
console.log(JSON.stringify({ perSecond: answered / seconds, refused, p50: at(0.5), p99: at(0.99) }))
