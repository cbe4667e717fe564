import { gzipSync } from 'node:zlib'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { TREE } from '../../src/commands/tree.ts'
import { hasPostgres } from '../client/ledger/team/postgres.ts'
import { csvOf } from '../support/import-bench.ts'
import { HAS_SSH_KEYGEN } from '../support/signing-team.ts'
import { createBench } from '../support/run-pay.ts'
import { BEFORE } from './example-preparations.ts'
import type { Pay } from './example-preparations.ts'

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

/** Servers, browsers and agents need a shell. */
const IN_SHELL =
  /^(?:pay sandbox (?:start|open|compare)|pay batch approve|pay desk)\b|--follow|\| pay sandbox open\b/

export const [SHELL_EXAMPLES = [], PLAIN_EXAMPLES = []] = [true, false].map((inShell) =>
  EXAMPLES.filter(([line]) => IN_SHELL.test(line) === inShell),
)

/** Files that examples read, for the tests of one file. */
export function useExampleFiles() {
  let files = ''
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
    writeFileSync(
      join(files, 'orders.csv.gz'),
      gzipSync(`${own}1,12.50,EUR,2026-01-31T09:30:00Z,A-1,PAYPAL\n`),
    )
    writeFileSync(join(files, 'balance.csv'), readFileSync('test/fixtures/exports/stripe-balance.csv'))
    const german =
      'paymentId;currencyCode;processor.name;amount;createdAt;order.id;paymentMethod.paymentMethodType\n'
    const germanRow = '1;eur;M\u00FCller;1.234,50;31.01.2026 09:30;A-1;PAYPAL\n'
    writeFileSync(join(files, 'tabelle.csv'), Buffer.from(german + germanRow, 'latin1'))
    const records = readFileSync(join(files, 'record.json'), 'utf8')
    writeFileSync(join(files, 'records.ndjson'), `${records}\n${records.replace('ext-2', 'ext-3')}\n`)
  })
  afterAll(() => rmSync(files, { recursive: true, force: true }))
  return {
    prepare: (path: string) => prepareIn(files, path),
    read: (name: string) => readFileSync(join(files, name), 'utf8'),
  }
}

export const envFor = (path: string): Readonly<Record<string, string>> =>
  path.startsWith('profile ') ? {} : { PAY_PROFILE: 'sandbox' }

/** A bench with the files and the state that an example needs, and the variables that it names. */
async function prepareIn(files: string, path: string) {
  const bench = createBench()
  bench.clock.now = new Date()
  cpSync(files, bench.folder, { recursive: true })
  const pay: Pay = async (line, stdin) =>
    (await bench.runPay(line, { env: envFor(path), ...(stdin === undefined ? {} : { stdin }) })).stdout.trim()
  const variables = await BEFORE[path]?.(pay, (name, text) => writeFileSync(join(bench.folder, name), text))
  return { bench, variables: variables ?? {} }
}
