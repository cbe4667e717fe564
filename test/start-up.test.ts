import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { startScriptedServer } from './support/scripted-server.ts'
import { createSpawnBench } from './support/spawn-pay.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** The files of the program that a run loads, without the hashes in their names. */
async function filesLoadedBy(words: string, answer: unknown): Promise<readonly string[]> {
  const bench = createSpawnBench()
  const folder = mkdtempSync(join(tmpdir(), 'payctl-test-'))
  const server = await startScriptedServer(() => ({ body: answer }))
  closers.push(
    () => bench.dispose(),
    () => rmSync(folder, { recursive: true }),
    () => server.close(),
  )
  const [hook, list] = [join(folder, 'hook.cjs'), join(folder, 'loaded.json')]
  const write = `require('node:fs').writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache)))`
  writeFileSync(hook, `process.on('exit', () => ${write})`)
  const env = { PAY_API_KEY: 'k', PAY_BASE_URL: server.url, NODE_OPTIONS: `--require ${hook}` }
  expect(await bench.pay(words, { env })).toMatchObject({ exitCode: 0, stderr: '' })
  const paths: readonly string[] = JSON.parse(readFileSync(list, 'utf8'))
  return paths
    .filter((path) => path !== hook)
    .map((path) => basename(path).replace(/-[\w-]{8}\.cjs$/, '.cjs'))
    .toSorted()
}

const PAYMENT = { id: 'p1', status: 'SETTLED', amount: 700, currencyCode: 'EUR', more: { a: 1 } }
/** The files that `bin/pay.cjs` loads for a call; the program is one file. */
const HOT = ['main.cjs', 'pay.cjs', 'rolldown-runtime.cjs']
/** A write also loads SQLite: Node's own, or the library in its place. */
const LIBRARY = '@photostructure+sqlite.glibc.node index.cjs index.js node-gyp-build.js package.json'.split(
  ' ',
)

test.each(['payment get p1 --json', 'payment get p1'])(
  'pay %s loads one file, without undici',
  async (words) => {
    expect(await filesLoadedBy(words, PAYMENT)).toEqual(HOT)
  },
)

test.each(['payment refund p1 --amount 500 --json', 'payment capture p1 --amount 500 --json'])(
  'pay %s loads SQLite besides',
  async (words) => {
    const loaded = await filesLoadedBy(words, PAYMENT)
    expect(loaded.filter((name) => !LIBRARY.includes(name))).toEqual(HOT)
  },
)

test.each(['--version', '--help', '-h'])('pay %s does not load the program', async (words) => {
  expect(await filesLoadedBy(words, PAYMENT)).toEqual(['pay.cjs'])
})
