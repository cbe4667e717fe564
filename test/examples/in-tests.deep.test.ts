import { execFileSync } from 'node:child_process'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPathBench, ROOT } from '../support/spawn-pay.ts'
import type { PathBench } from '../support/spawn-pay.ts'

const EXAMPLES = join(ROOT, 'examples/in-tests')
/** Installed for our own tests, so that these need no network. `.ci/run` runs the example for jest. */
const INSTALLED = ['@photostructure', 'vitest', 'typescript', '@types', 'undici-types']

let bench: PathBench
let folder: string

/** An empty folder with the packed package, the examples, and what a user's project has. */
beforeAll(() => {
  bench = createPathBench()
  folder = mkdtempSync(join(tmpdir(), 'pay-in-tests-'))
  const installed = join(folder, 'node_modules')
  mkdirSync(join(installed, '.bin'), { recursive: true })
  const run = (command: string, ...words: readonly string[]) =>
    execFileSync(command, words, { cwd: ROOT, encoding: 'utf8' })
  const packed = run('npm', 'pack', '--silent', '--ignore-scripts', '--pack-destination', folder)
  run('tar', '-xzf', join(folder, packed.trim()), '-C', installed)
  cpSync(join(installed, 'package'), join(installed, 'payctl'), { recursive: true })
  symlinkSync('../payctl/bin/pay.cjs', join(installed, '.bin/payctl'))
  for (const name of INSTALLED) symlinkSync(join(ROOT, 'node_modules', name), join(installed, name))
  cpSync(EXAMPLES, folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  bench.dispose()
})

const shell = (line: string) => bench.shell(line, { cwd: folder })
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

describe('every example', () => {
  test.each(readdirSync(EXAMPLES))('%s has at most twenty lines', (name) => {
    expect(readFileSync(join(EXAMPLES, name), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(20)
  })

  test.each([
    ['node:test', 'node --test node.test.mjs', 'pass 1'],
    ['vitest', 'node node_modules/vitest/vitest.mjs run vitest.test.ts', '1 passed'],
    [
      'Python',
      `python3 -c 'import test_refund as t; [getattr(t, name)() for name in dir(t) if name.startswith("test_")]; print("passed")'`,
      'passed',
    ],
  ])('passes with %s', async (_, line, says) => {
    const ran = await shell(line)
    expect(ran, ran.stdout + ran.stderr).toMatchObject({ exitCode: 0 })
    expect(ran.stdout).toContain(says)
  })

  test.each([
    ['node:test', 'node --test node.test.mjs', 'node.test.mjs'],
    ['vitest', 'node node_modules/vitest/vitest.mjs run vitest.test.ts', 'vitest.test.ts'],
  ])('fails with %s if the refund is made twice', async (_, line, name) => {
    const text = readFileSync(join(EXAMPLES, name), 'utf8')
    write(name, text.replace("{ 'X-Idempotency-Key': 'ticket-7' }", '{}'))
    const { exitCode } = await shell(line).finally(() => write(name, text))
    expect(exitCode).toBe(1)
  })
})

describe('the package', () => {
  test('has types for import and require, under every resolution, with strict settings', async () => {
    const use = `
      async function use(): Promise<string> {
        await using sandbox = await startSandbox({ clock: new Date(0), seed: 1 })
        await sandbox.faults.add({ on: 'POST /payments', do: 'drop-after', times: 1 })
        const snapshot: Snapshot = await sandbox.snapshot()
        await sandbox.restore(snapshot)
        const [request] = await sandbox.requests({ on: 'POST /payments' })
        const status: number | undefined = request?.status
        const response: Response = await sandbox.fetch('/payments')
        return [status, response.ok, await sandbox.clock.advance('1h'), await sandbox.tokenize('4111')].join()
      }
      void use`
    write('use.mts', `import { startSandbox, type Snapshot } from 'payctl/sandbox'\n${use}`)
    write(
      'use.cts',
      `import sandboxes = require('payctl/sandbox')\nimport type { Snapshot } from 'payctl/sandbox'\nconst { startSandbox } = sandboxes\n${use}`,
    )
    const strict =
      '--noEmit --strict --exactOptionalPropertyTypes --noUncheckedIndexedAccess --target es2022 --types node'
    const tsc = `node node_modules/typescript/bin/tsc ${strict}`
    for (const line of [
      `${tsc} --module node16 use.mts use.cts`,
      `${tsc} --module esnext --moduleResolution bundler use.mts`,
    ])
      expect(await shell(line)).toMatchObject({ exitCode: 0, stdout: '' })
  })

  test.each([
    ['import', 'sandbox.mjs', "import { startSandbox } from 'payctl/sandbox'"],
    ['require', 'sandbox.cjs', "const { startSandbox } = require('payctl/sandbox')"],
  ])('%s does nothing by itself', async (_, name, line) => {
    write(
      name,
      `${line}
      const open = process.getActiveResourcesInfo().filter((kind) => /Timeout|Immediate|Server/.test(kind))
      console.log(typeof startSandbox, process.listenerCount('SIGINT'), open.length)`,
    )
    expect(await shell(`node ${name}`)).toMatchObject({ stdout: 'function 0 0\n', stderr: '' })
  })

  test('is ready within 100 ms of processor time, serves its pages, and ends with the process', async () => {
    write(
      'ready.mjs',
      `import { startSandbox } from 'payctl/sandbox'
      const before = process.cpuUsage()
      const sandbox = await startSandbox()
      const { user, system } = process.cpuUsage(before)
      const page = await fetch(sandbox.url + '/dashboard')
      console.log(JSON.stringify({ ms: (user + system) / 1000, page: page.status, url: sandbox.url }))
      setTimeout(() => process.exit(0))`,
    )
    const ran = await shell('node ready.mjs')
    const ready: { readonly ms: number; readonly page: number; readonly url: string } = JSON.parse(ran.stdout)
    expect(ready).toMatchObject({ page: 200 })
    expect(ready.ms).toBeLessThan(100)
    await expect(fetch(ready.url)).rejects.toThrow('fetch failed')
  })

  test('works where a test runner fakes the timers', async () => {
    write(
      'timers.test.mjs',
      `import { expect, test, vi } from 'vitest'
      import { startSandbox } from 'payctl/sandbox'
      test('answers', async () => {
        vi.useFakeTimers()
        const sandbox = await startSandbox()
        await sandbox.faults.add({ on: 'GET /payments', do: 'delay=20ms' })
        expect((await sandbox.fetch('/payments')).status).toBe(200)
        await sandbox.close()
      })`,
    )
    expect(await shell('node node_modules/vitest/vitest.mjs run timers.test.mjs')).toMatchObject({
      exitCode: 0,
    })
  })
})
