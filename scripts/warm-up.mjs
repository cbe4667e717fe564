// compile-ahead.mjs runs this in its own process. It makes a few calls with the program to a server that knows one payment, and writes
// the code that V8 compiled for them. Usage: node warm-up.mjs MAIN.cjs OUT FOLDER
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Module, createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { Script } from 'node:vm'

const [, , main, out, folder] = process.argv
const PAYMENT = {
  id: 'p1',
  status: 'SETTLED',
  amount: 700,
  currencyCode: 'EUR',
  orderId: 'o1',
  date: '2026-01-02T03:04:05.000Z',
  processor: { name: 'STRIPE', amountCaptured: 700, amountRefunded: 0 },
}
/** The calls that scripts make most. Other calls compile the rest as usual. */
const CALLS = [
  'payment get p1 --json',
  'payment capture p1 --amount 700 --json',
  'payment refund p1 --amount 500 --json',
]
const MAX_MS = 20_000

const { cache } = createRequire(import.meta.url)
// The same wrapper as in bin/pay.cjs.
const text = `(function (exports, require, module, __filename, __dirname) {${readFileSync(main, 'latin1')}\n})`
// Node 20 stores this name: a real path would show the build machine in stack traces.
const script = new Script(text, { filename: 'payctl/dist/main.cjs' })

/** Resolves when the program has nothing left to do. */
function call(words) {
  for (const file of Object.keys(cache)) if (file.startsWith(dirname(main))) delete cache[file]
  const program = new Module(main)
  cache[main] = program
  process.argv = [process.execPath, 'pay', ...words.split(' ')]
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`pay ${words} doesn't end`)), MAX_MS).unref()
    script.runInThisContext()(program.exports, createRequire(main), program, main, dirname(main))
    process.once('beforeExit', () => {
      clearTimeout(timer)
      if (process.exitCode === undefined || process.exitCode === 0) resolve()
      else reject(new Error(`pay ${words} ended with ${process.exitCode}`))
    })
  })
}

const server = createServer((_, response) => {
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify(PAYMENT))
})
await new Promise((resolve) => {
  server.listen(0, '127.0.0.1', resolve)
})
server.unref()
Object.assign(process.env, {
  PAY_API_KEY: 'key_of_the_build',
  PAY_BASE_URL: `http://127.0.0.1:${server.address().port}`,
  PAY_CONFIG_DIR: join(folder, 'config'),
  PAY_STATE_DIR: join(folder, 'state'),
})
for (const words of CALLS) await call(words)
writeFileSync(out, script.createCachedData())
server.close()
