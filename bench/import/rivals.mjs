// The programs that the import is compared with, found through a variable or PATH, and the arguments that make each do the same work.
import { existsSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { bodyOf, luaBody } from './rows.mjs'
import { run } from './run.mjs'

const NAMES = ['wrk', 'autocannon', 'newman', 'nginx', 'curl', 'xargs', 'time']

/** Paths by name; undefined if not installed. */
export function findRivals() {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  return Object.fromEntries(
    NAMES.map((name) => {
      const configured = process.env[name.toUpperCase()]
      const found = folders.map((folder) => join(folder, name)).find((path) => existsSync(path))
      return [name, configured ?? found]
    }),
  )
}

const HEADERS = ['X-API-KEY: sandbox_all', 'X-Api-Version: 2.1', 'Content-Type: application/json']
const PATH = '/observability/payments'
/** A record with a placeholder in its IDs. */
const TEMPLATE = bodyOf('PREFIX', 12_345)

/** Sends the records of {@link writeRows}: rows at other times cost the server other pages of its index. Returns requests per second. */
export async function runWrk(wrk, { url, folder, prefix, seconds }) {
  const script = join(folder, 'wrk.lua')
  writeFileSync(
    script,
    `wrk.method = 'POST'
wrk.path = '${PATH}'
${HEADERS.map((line) => `wrk.headers['${line.split(': ')[0]}'] = '${line.split(': ')[1]}'`).join('\n')}
local row = 0
function request()
  row = row + 1
  return wrk.format(nil, nil, nil, (${luaBody(prefix)}))
end
`,
  )
  const { stdout } = await run([wrk, '-t1', '-c32', `-d${seconds}s`, '-s', script, url])
  if (/Non-2xx/.test(stdout)) throw new Error(`wrk was refused: ${stdout}`)
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1])
}

/** Sends one request per row; returns requests per second. */
export async function runAutocannon(autocannon, { url, prefix, rows }) {
  const body = TEMPLATE.replace('PREFIX-12345', `${prefix}-[<id>]`)
  const load = ['--json', '-c', '32', '-a', String(rows), '-m', 'POST', '-I', '-b', body]
  const headers = HEADERS.flatMap((line) => ['-H', line])
  const { stdout } = await run([autocannon, ...load, ...headers, `${url}${PATH}`])
  const { non2xx, errors, duration, requests } = JSON.parse(stdout)
  if (non2xx + errors > 0) throw new Error(`autocannon was refused ${non2xx} times, ${errors} errors`)
  return requests.total / duration
}

const NEWMAN_BODY =
  '{"paymentId":"{{paymentId}}","currencyCode":"{{currencyCode}}","processor":{"name":"{{processor.name}}"},"amount":{{amount}},"createdAt":"{{createdAt}}","order":{"id":"{{order.id}}"},"paymentMethod":{"paymentMethodType":"{{paymentMethod.paymentMethodType}}"},"status":"{{status}}","metadata":{"store":"{{metadata.store}}"}}'

/** Returns rows per second of the whole command. */
export async function runNewman(newman, { url, folder, file, rows }) {
  const collection = join(folder, 'collection.json')
  const header = HEADERS.map((line) => ({ key: line.split(': ')[0], value: line.split(': ')[1] }))
  const request = { method: 'POST', url: `${url}${PATH}`, header, body: { mode: 'raw', raw: NEWMAN_BODY } }
  const info = {
    name: 'rows',
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  }
  writeFileSync(collection, JSON.stringify({ info, item: [{ name: 'push', request }] }))
  const { stdout, seconds } = await run([
    newman,
    'run',
    collection,
    '-d',
    file,
    '--reporters',
    'json',
    '--reporter-json-export',
    join(folder, 'newman.json'),
  ])
  if (/error/i.test(stdout)) throw new Error(`newman failed: ${stdout.slice(0, 500)}`)
  return rows / seconds
}

/** Returns rows per second of the whole command. */
export async function runXargs({ xargs, curl }, { url, folder, prefix, rows }) {
  const bodies = join(folder, 'bodies.txt')
  // NUL-separated bodies, because xargs interprets quotes.
  writeFileSync(bodies, Array.from({ length: rows }, (_, row) => `${bodyOf(prefix, row + 1)}\0`).join(''))
  const call = [curl, '-sf', '-o', '/dev/null', ...HEADERS.flatMap((line) => ['-H', line])]
  const { seconds } = await run([xargs, '-0', '-P8', '-n1', '-a', bodies, ...call, `${url}${PATH}`, '-d'])
  return rows / seconds
}
