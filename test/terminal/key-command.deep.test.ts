import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect } from 'vitest'
import { ENTER, payInTerminal, terminalTest } from '../support/pseudo-terminal.ts'
import { useSpawnBench } from '../support/use-spawn-bench.ts'

/** A command that asks on the terminal before it prints the API key. */

const bench = useSpawnBench()
const SCRIPT = `#!/bin/sh
printf x >> ran
printf 'PIN: ' >&2
read -r pin
[ "$pin" = 1234 ] && echo sandbox_all
`

let payment = ''

beforeEach(async () => {
  const server = bench.start('sandbox start --port 0 --json', { keepsStdinOpen: true })
  await server.says('"apiKeys"')
  const url = /"url":"([^"]+)"/.exec(server.printed())?.[1] ?? ''
  const env = { PAY_API_KEY: 'sandbox_all', PAY_BASE_URL: url }
  const created = await bench.pay(
    [
      'payment',
      'create',
      '--token',
      'tok_autocapture',
      '--amount',
      '49.90 EUR',
      '--order-id',
      'A-1',
      '-o',
      'id',
    ],
    { env },
  )
  payment = created.stdout.trim()
  const path = join(bench.folder, 'key.sh')
  writeFileSync(path, SCRIPT)
  chmodSync(path, 0o700)
  await bench.pay(['profile', 'add', 'shop', '--base-url', url, '--test', '--api-key-command', path])
  return async () => {
    server.kill('SIGTERM')
    await server.ended
  }
})

const inShop = (words: string, after?: string) =>
  payInTerminal(words, {
    env: bench.env,
    cwd: bench.folder,
    ...(after === undefined ? {} : { after }),
    steps: [{ when: 'PIN:', type: `1234${ENTER}` }],
  })

const runs = () => readFileSync(join(bench.folder, 'ran'), 'utf8')

terminalTest('a refund asks for it once', async () => {
  const { exitCode, screen } = await inShop(`payment refund ${payment} --amount 500 --yes`)
  expect(exitCode, screen).toBe(0)
  expect(screen).not.toContain('sandbox_all')
  expect(runs()).toBe('x')
})

terminalTest('an import of rows from stdin asks on the terminal', async () => {
  const rows = Array.from({ length: 300 }, (_, row) => `e-${row},EUR,ACME,500,2026-01-02T03:04:05Z,o-${row}`)
  writeFileSync(
    join(bench.folder, 'rows.csv'),
    ['paymentId,currencyCode,processor.name,amount,createdAt,order.id', ...rows, ''].join('\n'),
  )
  const { exitCode, screen } = await inShop(
    'observability import - --format csv --const paymentMethod.paymentMethodType=PAYMENT_CARD --const status=SETTLED --amounts minor',
    '< rows.csv',
  )
  expect(exitCode, screen).toBe(0)
  expect(screen).toMatch(/300/)
  expect(runs()).toBe('x')
})

terminalTest('a batch asks for it, to plan and to apply', async () => {
  writeFileSync(join(bench.folder, 'refunds.csv'), `paymentId,amount,currencyCode\n${payment},5.00,EUR\n`)
  const planned = await inShop('batch plan refund refunds.csv --amounts major --out r.plan.ndjson')
  expect(planned.exitCode, planned.screen).toBe(0)
  expect(existsSync(join(bench.folder, 'r.plan.ndjson'))).toBe(true)
  const applied = await inShop('batch apply r.plan.ndjson --yes')
  expect(applied.exitCode, applied.screen).toBe(0)
  expect(runs()).toBe('xx')
})

terminalTest('a wrong answer is exit 4, and sends nothing', async () => {
  const { exitCode, screen } = await payInTerminal(`payment refund ${payment} --amount 500 --yes`, {
    env: bench.env,
    cwd: bench.folder,
    steps: [{ when: 'PIN:', type: `9${ENTER}` }],
  })
  expect(exitCode).toBe(4)
  expect(screen).toContain('exit code 1')
})
