// Sends one request per row with undici, bodies prepared before the clock starts, and does nothing else: no file, no checks, no
// timeouts, no results. Usage: node bare-undici.mjs '{"url":..,"rows":..,"connections":32,"prefix":..}'
import { Pool } from 'undici'
import { bodyOf } from './rows.mjs'

const { url, rows, connections, prefix, apiKey = 'sandbox_all' } = JSON.parse(process.argv[2])
const bodies = Array.from({ length: rows }, (_, row) => bodyOf(prefix, row + 1))
const pool = new Pool(url, { connections, pipelining: 1 })
/** Alternating names and values, the cheapest form for undici. */
const headers = [
  'accept: application/json',
  `x-api-key: ${apiKey}`,
  'x-api-version: 2.1',
  'content-type: application/json',
].flatMap((line) => line.split(': '))
const request = {
  path: '/observability/payments',
  method: 'POST',
  headers,
}

/** Sends one request after another, and reads and discards each answer. */
const send = (body) =>
  new Promise((resolve, reject) => {
    let status = 0
    pool.dispatch(
      { ...request, body },
      {
        onRequestStart() {},
        onResponseStart(_controller, code) {
          status = code
        },
        onResponseData() {},
        onResponseEnd() {
          if (status === 200) resolve()
          else reject(new Error(`answered ${status}`))
        },
        onResponseError(_controller, error) {
          reject(error)
        },
      },
    )
  })

let next = 0
async function sendAll() {
  while (next < bodies.length) {
    next += 1
    await send(bodies[next - 1])
  }
}

const [started, cpu] = [performance.now(), process.cpuUsage()]
await Promise.all(Array.from({ length: connections }, sendAll))
const seconds = (performance.now() - started) / 1000
const { user, system } = process.cpuUsage(cpu)
await pool.close()
console.log(JSON.stringify({ perSecond: rows / seconds, cpuUs: (user + system) / rows }))
