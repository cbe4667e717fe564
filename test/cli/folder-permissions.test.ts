import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createBench, jsonAnswer } from '../support/run-pay.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'
import type { SpawnBench } from '../support/spawn-pay.ts'

const modeOf = (path: string) => statSync(path).mode & 0o777

function newBench(): SpawnBench {
  const bench = createSpawnBench()
  onTestFinished(() => bench.dispose())
  return bench
}

const place = (bench: SpawnBench, name: string): string => {
  const path = name === 'config' ? bench.configFolder : join(bench.stateFolder, name)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  return path
}

const CREATE = '--sandbox payment create --token tok_visa --amount 500 --currency EUR --order-id A-1 -o id'
const IMPORT = '--sandbox observability import rows.csv --yes'
const COMMANDS = [
  ['.', CREATE],
  ['.', 'ops list'],
  ['.', 'batch list'],
  ['.', 'whoami --sandbox'],
  ['.', 'sandbox clock show'],
  ['.', 'payment list --sandbox --dry-run'],
  ['sandbox', CREATE],
  ['sandbox', 'sandbox reset --yes'],
  ['imports', IMPORT],
  ['config', 'profile list'],
  ['config', 'profile add shop --base-url http://127.0.0.1:1 --api-key-stdin'],
] as const

function write(bench: SpawnBench): void {
  const rows =
    'paymentId,currencyCode,processor.name,amount,createdAt,order.id,paymentMethod.paymentMethodType\nr1,EUR,X,5,2026-01-31T09:30:00Z,o1,PAYMENT_CARD\n'
  writeFileSync(join(bench.folder, 'rows.csv'), rows)
}

describe.skipIf(process.platform === 'win32')('a folder of pay', () => {
  test.each(COMMANDS)('%s that others can write to is refused: pay %s', async (name, words) => {
    const bench = newBench()
    write(bench)
    const path = place(bench, name)
    chmodSync(path, 0o777)
    const ran = await bench.pay(words, { stdin: 'key_of_shop\n' })
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain(`Other users can write to the folder: ${path}`.replace(/\/\.$/, ''))
    expect(ran.stderr).toContain('chmod 700')
    expect(modeOf(path)).toBe(0o777)
  })

  test.each(['.', 'sandbox'])('%s that others can read is closed to them', async (name) => {
    const bench = newBench()
    const path = place(bench, name)
    chmodSync(path, 0o755)
    expect(await bench.pay(CREATE)).toMatchObject({ exitCode: 0 })
    expect(modeOf(path)).toBe(0o700)
  })

  test.each(['profile list', 'payment get p1 --max-retries 0'])(
    'for profiles that others can read is closed to them, unless it has other files: pay %s',
    async (words) => {
      const bench = createBench()
      onTestFinished(() => bench.dispose())
      const run = () => bench.runPay(words, { service: () => jsonAnswer(200, { id: 'p1' }) })
      const key = { stdin: 'key_of_shop\n' }
      await bench.runPay('profile add shop --base-url http://127.0.0.1:1 --api-key-stdin', key)
      chmodSync(bench.configFolder, 0o755)
      await bench.runPay('payment get p1 --dry-run')
      expect(modeOf(bench.configFolder)).toBe(0o755)
      await run()
      expect(modeOf(bench.configFolder)).toBe(0o700)

      writeFileSync(join(bench.configFolder, 'notes.txt'), '')
      chmodSync(bench.configFolder, 0o755)
      await run()
      expect(modeOf(bench.configFolder)).toBe(0o755)
    },
  )

  test('may be a link', async () => {
    const bench = newBench()
    const elsewhere = join(bench.folder, 'elsewhere')
    mkdirSync(elsewhere, { mode: 0o700 })
    const link = join(bench.folder, 'link')
    symlinkSync(elsewhere, link)
    expect(await bench.pay(CREATE, { env: { PAY_STATE_DIR: link } })).toMatchObject({ exitCode: 0 })
    expect(existsSync(join(elsewhere, 'ledger.db'))).toBe(true)
  })

  test('is reported by doctor, which changes nothing', async () => {
    const bench = newBench()
    const path = place(bench, '.')
    chmodSync(path, 0o777)
    const ran = await bench.pay('doctor')
    expect(ran.stdout).toContain('Other users can write to the folder')
    expect(modeOf(path)).toBe(0o777)
  })

  test('with a ledger that is a link is refused: nothing is sent, and nothing is written to its target', async () => {
    const bench = newBench()
    const id = (await bench.pay(CREATE)).stdout.trim()
    const target = join(bench.folder, 'target')
    const ledger = join(bench.stateFolder, 'ledger.db')
    renameSync(ledger, target)
    symlinkSync(target, ledger)
    const before = readFileSync(target)
    const ran = await bench.pay(`--sandbox payment cancel ${id}`)
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('symbolic link') })
    expect(readFileSync(target).equals(before)).toBe(true)
  })
})
