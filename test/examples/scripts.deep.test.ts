import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { createPathBench, ROOT } from '../support/spawn-pay.ts'
import type { SpawnOptions } from '../support/spawn-pay.ts'
import { csvOf } from '../support/import-bench.ts'
import { useSpawnBench } from '../support/use-spawn-bench.ts'
import { ENTER, inTerminal, terminalTest } from '../support/pseudo-terminal.ts'

const EXAMPLES = join(ROOT, 'examples')
const SCRIPTS = readdirSync(EXAMPLES).filter((name) => name.endsWith('.sh'))

const bench = useSpawnBench(createPathBench)

const runExample = (line: string, options: SpawnOptions = {}) =>
  bench.shell(`"${EXAMPLES}"/${line}`, { ...options, env: { ...bench.env, ...options.env } })

test('the index names every example, and nothing else', () => {
  const index = readFileSync(join(EXAMPLES, 'README.md'), 'utf8')
  const named = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path)
  const files = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(EXAMPLES, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
  expect(named.filter((path) => !path.endsWith('/')).toSorted()).toEqual(
    files.filter((path) => path !== 'README.md').toSorted(),
  )
})

describe('every example', () => {
  test.each(SCRIPTS)('%s is a strict bash script that can be run as it is', (name) => {
    const text = readFileSync(join(EXAMPLES, name), 'utf8')
    expect(text.startsWith('#!/usr/bin/env bash\n# ')).toBe(true)
    expect(text).toContain('\nset -euo pipefail\n')
    expect(statSync(join(EXAMPLES, name)).mode & 0o111).toBe(0o111)
  })

  test.each(SCRIPTS)('%s touches no account but the sandbox unless PAY_PROFILE says so', (name) => {
    const text = readFileSync(join(EXAMPLES, name), 'utf8')
    const usesAccounts = /^[^#\n]*\bpay (?!sandbox )/m.test(text)
    if (usesAccounts) expect(text).toMatch(/^export PAY_PROFILE="\$\{PAY_PROFILE:?-sandbox\}"$/m)
    else expect(text).toContain('pay sandbox start')
  })
})

describe('capture.sh', () => {
  test('captures 7.00 of a new payment and says that the rest is released', async () => {
    const ran = await runExample('capture.sh')
    expect(ran).toMatchObject({ exitCode: 0 })
    expect(ran.stdout).toMatch(/Captured\s+7\.00 EUR/)
    expect(ran.stderr).toContain('the remaining 3.00 EUR was released')
  })

  test('passes on the exit code: 5 for an unknown payment', async () => {
    expect(await runExample('capture.sh nope')).toMatchObject({ exitCode: 5, stdout: '' })
  })

  test('asks for a payment id if it cannot make a payment', async () => {
    const ran = await runExample('capture.sh', { env: { PAY_PROFILE: 'shop' } })
    expect(ran).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('usage:') })
  })
})

describe('import-in-parts.sh', () => {
  test('splits a file once and imports every part', async () => {
    const content = csvOf(20)
    writeFileSync(join(bench.folder, 'rows.csv'), content)
    const first = await runExample('import-in-parts.sh rows.csv')
    expect(first).toMatchObject({ exitCode: 0 })
    expect(existsSync(join(bench.folder, 'rows.csv.parts', 'manifest.json'))).toBe(true)
    expect(await runExample('import-in-parts.sh rows.csv')).toMatchObject({ exitCode: 0 })
    const list = await bench.pay('--sandbox observability list --all -o id')
    expect(list.stdout.trim().split('\n')).toHaveLength(20)
  })

  test('runs as it stands, with more parts than rows', async () => {
    const ran = await runExample('import-in-parts.sh', { env: { PROCESSES: '4' } })
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
  })
})

describe('import-job.yaml', () => {
  test('is a job whose command pay takes', () => {
    const job = parse(readFileSync(join(EXAMPLES, 'import-job.yaml'), 'utf8'))
    const { containers, initContainers } = job.spec.template.spec
    expect(job).toMatchObject({ kind: 'Job', spec: { completionMode: 'Indexed', completions: 8 } })
    expect(containers[0]).toMatchObject({ name: 'pay', command: ['pay'] })
    expect(containers[0].args.slice(0, 3)).toEqual(['observability', 'import', '/import/part.csv'])
    expect(initContainers[0].args[0]).toContain('part-$JOB_COMPLETION_INDEX.csv')
  })
})

describe('partial-refund.sh', () => {
  terminalTest('asks how much and refunds the part that is typed', async () => {
    const { exitCode, screen } = await inTerminal(`"${EXAMPLES}/partial-refund.sh"`, {
      env: bench.env,
      steps: [{ when: 'Amount', type: `2.50${ENTER}` }],
    })
    expect(exitCode, screen).toBe(0)
    expect(screen).toMatch(/Remaining after\s+7\.50 EUR/)
    expect(screen).toMatch(/Left to refund\s+7\.50 EUR/)
  })

  test('sends nothing without a terminal', async () => {
    const ran = await runExample('partial-refund.sh some-id')
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain('needs a terminal')
    expect(existsSync(join(bench.stateFolder, 'sandbox'))).toBe(false)
  })
})

describe('any-client.sh', () => {
  test('pays with curl on a temporary server and leaves nothing behind', async () => {
    const ran = await runExample('any-client.sh')
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(ran.stdout)).toMatchObject({
      status: 'SETTLED',
      processor: { amountCaptured: 4990, amountRefunded: 500 },
    })
    expect(await bench.pay('sandbox status --json')).toMatchObject({ exitCode: 0, stdout: '[]\n' })
    expect(existsSync(join(bench.stateFolder, 'sandbox'))).toBe(false)
  })

  test('ends its server when a call fails', async () => {
    writeFileSync(join(bench.folder, 'bin/curl'), '#!/bin/sh\nexit 22\n', { mode: 0o755 })
    expect(await runExample('any-client.sh')).toMatchObject({ exitCode: 22, stdout: '' })
    expect(await bench.pay('sandbox status --json')).toMatchObject({ stdout: '[]\n' })
  })
})

/** A valid input line of record-external-payments.sh. */
const good = (id: string, status: string) =>
  `${id} 2500 EUR ACME_TILL A-1001 PAYMENT_CARD 2026-01-31T09:30:00Z ${status}\n`

describe('record-external-payments.sh', () => {
  test('records new payments, updates known ones, and may run again', async () => {
    const stderr = 'embedded sandbox: no real money\n'
    const first = await runExample('record-external-payments.sh', { stdin: good('till-1', 'PENDING') })
    expect(first).toMatchObject({ exitCode: 0, stdout: 'created 1, updated 0, refused 0\n', stderr })
    const lines = `# till 1\n${good('till-1', 'SETTLED')}\n${good('till-2', 'SETTLED').trimEnd()}`
    const second = await runExample('record-external-payments.sh', { stdin: lines })
    expect(second).toMatchObject({ exitCode: 0, stdout: 'created 1, updated 1, refused 0\n', stderr })
  })

  test('names refused lines and records the others', async () => {
    const ran = await runExample('record-external-payments.sh', {
      stdin: `${good('till-1', 'SETTLED').replace('2500', '25,00')}${good('till-2', 'SETTLED')}`,
    })
    expect(ran).toMatchObject({ exitCode: 1, stdout: 'created 1, updated 0, refused 1\n' })
    expect(ran.stderr).toContain('line 1 (till-1) was refused:')
    expect(ran.stderr).toContain('"code":"bad_amount"')
  })

  test('stops at an error that every line would have, with its exit code', async () => {
    await bench.pay('profile add nobody-home --base-url http://127.0.0.1:1 --test --api-key-stdin', {
      stdin: 'key_for_a_test_0123',
    })
    const ran = await runExample('record-external-payments.sh', {
      stdin: `${good('till-1', 'SETTLED')}${good('till-2', 'SETTLED')}`,
      env: { PAY_PROFILE: 'nobody-home', PAY_MAX_RETRIES: '0' },
    })
    expect(ran).toMatchObject({ exitCode: 9, stdout: '' })
    expect(ran.stderr).toContain('stopped at line 1 (till-1), exit code 9:')
  })

  test('stops before the first line if the account cannot be used', async () => {
    const ran = await runExample('record-external-payments.sh', {
      stdin: good('till-1', 'SETTLED'),
      env: { PAY_PROFILE: 'missing' },
    })
    expect(ran).toMatchObject({ exitCode: 2, stdout: '' })
    expect(ran.stderr).toContain('No profile named "missing"')
  })
})

describe('ci-smoke', () => {
  test('passes on the sandbox and writes its report', async () => {
    const ran = await runExample('ci-smoke.sh report.xml')
    expect(ran, ran.stderr).toMatchObject({ exitCode: 0 })
    expect(ran.stdout).toContain('embedded sandbox')
    expect(ran.stdout).toContain('steps passed')
    const report = readFileSync(join(bench.folder, 'report.xml'), 'utf8')
    expect(report).toMatch(/<testsuite name="pay smoke" tests="\d+" failures="0"/)
  })

  test('refuses a live account before anything is sent', async () => {
    const ran = await runExample('ci-smoke.sh report.xml', {
      env: { PAY_PROFILE: '', PAY_API_KEY: 'key_for_a_test_0123', PAY_BASE_URL: 'https://api.example.com' },
    })
    expect(ran).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('live') })
    const report = readFileSync(join(bench.folder, 'report.xml'), 'utf8')
    expect(report).toContain('<testsuite name="pay smoke" tests="1" failures="1"')
  })

  test('its workflow runs existing scripts', () => {
    const workflow = JSON.stringify(parse(readFileSync(join(EXAMPLES, 'ci-smoke.yml'), 'utf8')))
    expect(workflow).toContain('"run":"examples/ci-smoke.sh pay-smoke.xml"')
    expect(workflow).toContain('"path":"pay-smoke.xml"')
    const scripts = Object.keys(
      Object(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))).scripts ?? {},
    )
    const named = [...workflow.matchAll(/npm run ([\w-]+)/g)].map(([, name]) => name)
    expect(scripts).toEqual(expect.arrayContaining(named))
  })
})
