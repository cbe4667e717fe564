import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TREE } from '../../src/commands/tree.ts'
import { csvOf } from '../support/import-bench.ts'
import { HAS_SSH_KEYGEN } from '../support/signing-team.ts'
import { hasPostgres, teamDatabase } from '../ledger/team/postgres.ts'
import { BEFORE } from './example-preparations.ts'
import type { Pay } from './example-preparations.ts'
import { createBench, splitWords } from '../support/run-pay.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'

/** Every example of every command, as the help shows it. */
const EXAMPLES = await Promise.all(
  Object.values(TREE).flatMap((noun) =>
    [...Object.values(noun.verbs ?? {}), ...(noun.load === undefined ? [] : [noun.load])].map(
      async (load) => (await load()).command,
    ),
  ),
)
  .then((commands) =>
    commands.flatMap(({ path, examples }) => examples.map(({ line }) => [line, path.join(' ')] as const)),
  )
  .then((examples) => examples.filter(([, path]) => HAS_SSH_KEYGEN || path !== 'batch approve'))
  .then((examples) => examples.filter(([, path]) => hasPostgres || !path.startsWith('ledger ')))

/** Starts a server in the background, waits until it is listed, and stops it. Uses a free port. */
const served = (line: string): string =>
  line.includes('--background')
    ? `${line} && pay sandbox stop -q`
    : [
        `${line}${line.includes('--port') ? '' : ' --port 0'} & server=$!`,
        'until [ "$(pay sandbox status -q -o id)" ] || ! kill -0 $server; do :; done',
        'pay sandbox stop -q && wait $server',
      ].join('\n')

/** Runs a line while a server is running, with a browser that does nothing. */
const besideServer = (line: string): string =>
  [
    'pay sandbox start --background --port 0 -q > /dev/null',
    `PATH="$PWD/bin:$PATH"; ${line}`,
    'code=$?; pay sandbox stop -q > /dev/null; exit $code',
  ].join('\n')

/** A served sandbox is the account. If the line reads an earlier comparison, its file is there. */
const besideAccount = (line: string): string =>
  [
    'URL=$(pay sandbox start --background --port 0 -q -o id)',
    'printf sandbox_all | pay profile add shop --base-url "$URL" --test --api-key-stdin -q > /dev/null',
    line.includes('--against') ? 'pay sandbox compare --profile shop --out shop.json -q > /dev/null' : ':',
    `${line}; code=$?; pay sandbox stop -q > /dev/null; exit $code`,
  ].join('\n')

/** What follows requests ends when nobody reads it any more. */
const untilClosed = (line: string): string =>
  line.includes('--follow')
    ? [
        `${line} | head -n 1 > "$HOME/seen" &`,
        'until [ -s "$HOME/seen" ]; do pay payment list -q > /dev/null; done',
        'pay payment list -q > /dev/null; wait',
      ].join('\n')
    : line

/** Signs without a question, for a profile that names no signers, with a key that an agent holds too. */
const withAgent = (line: string): string =>
  [
    "mkdir ~/.ssh && ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id_ed25519",
    'eval "$(ssh-agent -s)" > /dev/null && ssh-add -q ~/.ssh/id_ed25519',
    `${line} --yes${line.includes('--principal') ? '' : ' --principal ben@example.com'}`,
    'code=$?; ssh-agent -k > /dev/null; exit $code',
  ].join('\n')

/** Without a terminal, a command that needs one names the commands for scripts. */
const withoutTerminal = (line: string): string => `${line} 2>&1 | grep -q 'pay find'`

const WRAPPED: Readonly<Record<string, (line: string) => string>> = {
  'sandbox start': served,
  'sandbox open': besideServer,
  'sandbox compare': besideAccount,
  'sandbox requests': untilClosed,
  'batch approve': withAgent,
  desk: withoutTerminal,
}

let files: string
beforeAll(() => {
  files = mkdtempSync(join(tmpdir(), 'pay-examples-'))
  mkdirSync(join(files, 'bin'))
  for (const opener of ['open', 'xdg-open'])
    writeFileSync(join(files, 'bin', opener), '#!/bin/sh\n', { mode: 0o755 })
  writeFileSync(
    join(files, 'record.json'),
    JSON.stringify({
      paymentId: 'ext-2',
      currencyCode: 'EUR',
      processor: { name: 'ACME' },
      amount: 5,
      createdAt: '2026-01-01T00:00:00Z',
      order: { id: 'A-2' },
      paymentMethod: { paymentMethodType: 'PAYMENT_CARD' },
    }),
  )
  writeFileSync(join(files, 'session.json'), '{"orderId":"A-1"}')
  writeFileSync(join(files, 'payments.csv'), csvOf(3))
  const own = 'id,total,currencyCode,createdAt,order.id,paymentMethod.paymentMethodType\n'
  writeFileSync(join(files, 'orders.csv'), `${own}1,12.50,EUR,2026-01-31T09:30:00Z,A-1,PAYPAL\n`)
  writeFileSync(join(files, 'balance.csv'), readFileSync('test/fixtures/exports/stripe-balance.csv'))
  const german =
    'paymentId;currencyCode;processor.name;amount;createdAt;order.id;paymentMethod.paymentMethodType\n'
  const germanRow = '1;eur;M\u00FCller;1.234,50;31.01.2026 09:30;A-1;PAYPAL\n'
  writeFileSync(join(files, 'tabelle.csv'), Buffer.from(german + germanRow, 'latin1'))
  const records = readFileSync(join(files, 'record.json'), 'utf8')
  writeFileSync(join(files, 'records.ndjson'), `${records}\n${records.replace('ext-2', 'ext-3')}\n`)
})
afterAll(() => rmSync(files, { recursive: true, force: true }))

const envFor = (path: string): Readonly<Record<string, string>> =>
  path.startsWith('profile ') ? {} : { PAY_PROFILE: 'sandbox' }

/** A team's ledger of its own. */
async function ledgerFor(path: string): Promise<Readonly<Record<string, string>>> {
  if (!path.startsWith('ledger ')) return {}
  const { url } = await teamDatabase({ isEmpty: path === 'ledger init' })
  return { PAY_PROFILE: 'shop', PAY_LEDGER: url, PAY_LEDGER_ACCOUNT: 'acme' }
}

/** A bench with the files and the state that an example needs, and the variables that it names. */
async function prepare(path: string) {
  const bench = createBench()
  bench.clock.now = new Date()
  cpSync(files, bench.folder, { recursive: true })
  const pay: Pay = async (line, stdin) =>
    (await bench.runPay(line, { env: envFor(path), ...(stdin === undefined ? {} : { stdin }) })).stdout.trim()
  const variables = await BEFORE[path]?.(pay, (name, text) => writeFileSync(join(bench.folder, name), text))
  return { bench, variables: variables ?? {} }
}

/** Servers, browsers and agents need a shell. */
const [SHELL_LINES, LINES] = [true, false].map((isWrapped) =>
  EXAMPLES.filter(([line, path]) => ((WRAPPED[path]?.(line) ?? line) !== line) === isWrapped),
)

/** Runs the commands of a line in process: each reads what the one before it prints. */
test.each(LINES ?? [])('%s', async (line, path) => {
  const { bench, variables } = await prepare(path)
  try {
    const env = { ...envFor(path), ...(await ledgerFor(path)) }
    let stdin = ''
    for (const command of line.split(' | ')) {
      const words = splitWords(command).map((word) =>
        word.replaceAll(/\$(\w+)/g, (_, name: string) => variables[name] ?? ''),
      )
      const [program, ...rest] = words
      const [read, written] = ['<', '>'].map((sign) => rest.indexOf(sign))
      const file = rest[(read ?? -1) + 1]
      if (read !== -1 && file !== undefined) stdin = readFileSync(join(files, file), 'utf8')
      if (program === 'pass') stdin = 'key-0123456789abcdef'
      else {
        const end = Math.max(read ?? -1, written ?? -1)
        const ran = await bench.runPay(end === -1 ? rest : rest.slice(0, end), { env, stdin })
        expect(ran.stderr, 'BEFORE prepares what examples need').not.toContain('✗')
        expect(ran.exitCode, ran.stderr).toBe(0)
        stdin = ran.stdout
      }
    }
  } finally {
    bench.dispose()
  }
})

test.concurrent.each(SHELL_LINES ?? [])('%s', async (line, path) => {
  const own = createSpawnBench()
  try {
    const { bench, variables } = await prepare(path)
    cpSync(bench.folder, own.folder, { recursive: true })
    bench.dispose()
    const ran = await own.shell(WRAPPED[path]?.(line) ?? line, { env: { ...envFor(path), ...variables } })
    const hint = `Examples run the built program (npm run build). BEFORE prepares what they need.\n${ran.stderr}`
    expect(ran.stderr, hint).not.toContain('✗')
    expect(ran.exitCode).toBe(0)
  } finally {
    own.dispose()
  }
})

test('there are examples', () => expect(EXAMPLES.length).toBeGreaterThan(40))
