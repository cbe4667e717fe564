// Measures what long texts in a response cost the client: the processor time of `pay payment get` and `pay payment explain` for
// a payment with one text of 10 kB and of 1 MB, and of `pay session create --curl` for a body with it, as ratios to a start of `node -e 0`. Needs bash.
// Usage: node bench/long-texts.mjs [ROUNDS]   PAY=/path/to/bin/pay.cjs measures another build
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { median } from './import/run.mjs'
import { cpuOf } from './lists.mjs'

const PAY = process.env['PAY'] ?? fileURLToPath(new URL('../bin/pay.cjs', import.meta.url))
const SIZES = [10_000, 1_000_000]
/** What a pattern may begin to match at every character. */
const PIECES = [
  'x',
  '1 ',
  'ey-',
  'eyes.',
  '[ , ',
  '\\\\',
  '\\u202e',
  '\u20ac',
  'e\u0301',
  '\u6f22 ',
  '%41',
  '-',
]
const calls = (file) => [
  { words: ['payment', 'get', 'p1'], pieces: PIECES },
  { words: ['payment', 'get', 'p1', '--json'], pieces: PIECES },
  { words: ['payment', 'explain', 'p1'], pieces: PIECES },
  { words: ['session', 'create', '--curl', '--data', `@${file}`], pieces: ['x', '~'] },
]
const GOAL = 12

export async function longTexts(rounds = 5) {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-bench-'))
  // Without NODE_EXTRA_CA_CERTS, see startup.mjs.
  const env = { PATH: process.env['PATH'], HOME: folder, PAY_API_KEY: 'bench-key' }
  let body = ''
  const server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1')
  try {
    await new Promise((resolve) => server.once('listening', resolve))
    const address = ['--base-url', `http://127.0.0.1:${server.address().port}`]
    console.log(
      `long texts: x node of processor time${''.padEnd(12)}${SIZES.map((size) => `${size / 1000} kB`.padStart(10)).join('')}`,
    )
    const file = join(folder, 'body.json')
    for (const { words, pieces } of calls(file))
      for (const piece of pieces) {
        const ratios = []
        for (const size of SIZES) {
          const text = piece.repeat(size / Buffer.byteLength(piece))
          body = `{"id":"p1","status":"SETTLED","amount":5,"currencyCode":"EUR","orderId":"${text}"}`
          writeFileSync(file, `{"orderId":"${text}"}`)
          const times = []
          for (let round = 0; round < rounds; round += 1) {
            const node = await cpuOf([process.execPath, '-e', '0'], env)
            const command = [process.execPath, PAY, ...words, ...address]
            times.push((await cpuOf(command, env)) / node)
          }
          ratios.push(median(times))
        }
        const goal = ratios.at(-1) > GOAL ? `  over the goal of ${GOAL}` : ''
        const name = `${JSON.stringify(piece)} ${words.slice(0, 4).join(' ')}`
        console.log(`${name.padEnd(48)}${ratios.map((one) => one.toFixed(2).padStart(10)).join('')}${goal}`)
      }
  } finally {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href)
  await longTexts(Number(process.argv[2] ?? 5))
