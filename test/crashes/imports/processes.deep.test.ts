import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createImportBench, csvOf, readTable, upTo } from '../../support/import-bench.ts'
import type { ImportBench } from '../../support/import-bench.ts'
import { startScriptedServer } from '../../support/scripted-server.ts'
import type { ReceivedRequest, Scripted, ScriptedServer } from '../../support/scripted-server.ts'
import { payInTerminal, terminalTest } from '../../support/pseudo-terminal.ts'
import { errorOf } from '../../support/run-result.ts'

let bench: ImportBench
let server: ScriptedServer | undefined
beforeEach(async () => {
  bench = await createImportBench()
})
afterEach(async () => {
  await server?.close()
  server = undefined
  await bench.close()
})

async function serve(script: (request: ReceivedRequest, index: number) => Scripted) {
  server = await startScriptedServer(script)
  return { service: server, env: { PAY_BASE_URL: server.url } }
}
const summaryOf = (stdout: string): Record<string, unknown> => JSON.parse(stdout)
const rowsIn = (name: string): readonly number[] => readTable(bench.folder, name).map(([row]) => Number(row))

describe('signals', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 143],
  ] as const)('%s waits for rows in flight and takes no new ones: exit code %d', async (signal, exitCode) => {
    const { service, env } = await serve(() => ({ body: { amount: 1 }, delayMs: 150 }))
    const file = bench.write('rows.csv', csvOf(2_000))
    const running = bench.importing(`${file} --concurrency 4 --json`, { env })
    await service.arrived(6)
    running.kill(signal)
    const ended = await running.ended
    expect(ended, ended.stderr).toMatchObject({ exitCode })
    const { rows, created } = summaryOf(ended.stdout)
    expect(created).toBe(rows)
    expect(service.requests).toHaveLength(Number(rows))
    expect(errorOf(ended)).toMatchObject({ code: 'interrupted', exitCode })
  })

  test('a second signal ends the import at once and leaves rows in flight in doubt', async () => {
    const sent = new Set<string | undefined>()
    const idOf = ({ body }: ReceivedRequest) => /"paymentId":"([^"]+)"/.exec(body)?.[1]
    let isUp = false
    const { service, env } = await serve((request) => {
      if (isUp && !sent.has(idOf(request))) return { body: { amount: 1 } }
      // The requests in flight were applied.
      if (isUp)
        return { status: 409, body: { error: { errorId: 'EntityAlreadyExists', description: 'there' } } }
      sent.add(idOf(request))
      return { hang: true }
    })
    const words = `${bench.write('rows.csv', csvOf(50))} --concurrency 4 --on-exists skip --results results.csv --json`
    const running = bench.importing(words, { env })
    await service.arrived(4)
    running.kill('SIGINT')
    await running.says('sending no new rows')
    running.kill('SIGINT')
    const ended = await running.ended
    expect(ended, ended.stderr).toMatchObject({ exitCode: 130 })
    expect(summaryOf(ended.stdout)).toMatchObject({ rows: 0 })
    isUp = true
    const second = await bench.importing(words, { env }).ended
    expect(summaryOf(second.stdout)).toMatchObject({ rows: 50, created: 46, unknown: 4, skipped: 0 })
    expect(rowsIn('results.csv')).toEqual(upTo(50))
  })

  test('Ctrl-C ends the import while it waits for stdin', async () => {
    const { service, env } = await serve(() => ({ body: { amount: 1 } }))
    const running = bench.start('observability import - --format csv --json', {
      env: { ...bench.account, ...env },
      keepsStdinOpen: true,
    })
    // Enough to start, and half a row more.
    running.child.stdin?.write(`${csvOf(15_000)}ext-half,EUR`)
    await service.arrived(100)
    running.kill('SIGINT')
    const ended = await running.ended
    expect(ended, ended.stderr).toMatchObject({ exitCode: 130 })
    expect(summaryOf(ended.stdout)).toMatchObject({ failed: 0, unknown: 0 })
  })

  test('a refused key ends the import while it waits for stdin', async () => {
    const { env } = await serve(() => ({
      status: 401,
      body: { error: { errorId: 'Unauthorized', description: 'no' } },
    }))
    const running = bench.start('observability import - --format csv --json', {
      env: { ...bench.account, ...env },
      keepsStdinOpen: true,
    })
    running.child.stdin?.write(csvOf(15_000))
    expect(await running.ended).toMatchObject({ exitCode: 4, stdout: '' })
  })
})

test('uses one connection per concurrent request and reuses it', async () => {
  const { service, env } = await serve(() => ({ body: { amount: 1 } }))
  const file = bench.write('rows.csv', csvOf(300))
  const ended = await bench.importing(`${file} --concurrency 4 --json`, { env }).ended
  expect(ended, ended.stderr).toMatchObject({ exitCode: 0 })
  expect(service.requests).toHaveLength(300)
  expect(new Set(service.requests.map(({ connection }) => connection)).size).toBeLessThanOrEqual(4)
})

describe('one process per import', () => {
  test('a second process is refused while the first one is alive, and resumes once it is killed', async () => {
    const { service, env } = await serve((_, index) =>
      index < 10 ? { body: { amount: 1 } } : { hang: true },
    )
    const words = `${bench.write('rows.csv', csvOf(40))} --json`
    const first = bench.importing(words, { env })
    await service.arrived(12)
    const second = await bench.importing(words, { env }).ended
    expect(second).toMatchObject({ exitCode: 6, stdout: '' })
    expect(errorOf(second)).toMatchObject({ code: 'import_running' })
    first.kill('SIGKILL')
    await first.ended
    const third = bench.importing(words, { env })
    await service.arrived(14)
    third.kill('SIGKILL')
    await third.ended
    expect(service.requests.length).toBeLessThan(40)
  })
})

test('parts of a file by JOB_COMPLETION_INDEX have every row once', async () => {
  const file = bench.write('rows.csv', csvOf(900))
  const parts = await Promise.all(
    [0, 1, 2].map(
      (index) =>
        bench.importing(`${file} --shards 3 --results results-${index}.csv --json -q`, {
          env: { JOB_COMPLETION_INDEX: String(index) },
        }).ended,
    ),
  )
  for (const part of parts) expect(part, part.stderr).toMatchObject({ exitCode: 0 })
  const reported = [0, 1, 2].map((index) => rowsIn(`results-${index}.csv`))
  expect(parts.map(({ stdout }) => summaryOf(stdout)['rows'])).toEqual(reported.map(({ length }) => length))
  expect(reported.flat().toSorted((a, b) => a - b)).toEqual(upTo(900))
  for (const rows of reported) expect(rows.length).toBeGreaterThan(200)
})

test.skipIf(process.platform === 'win32')(
  'results that go to another program have their header once',
  async () => {
    const file = bench.write('stream.csv', csvOf(5, undefined, 'stream'))
    const words = `observability import ${file} --results /dev/stdout -q`
    const ended = await bench.shell(`pay ${words} | cat`, { env: bench.account })
    expect(ended, ended.stderr).toMatchObject({ exitCode: 0 })
    const lines = ended.stdout.split('\n')
    expect(lines.filter((line) => line.startsWith('row,'))).toHaveLength(1)
    expect(lines.filter((line) => /^\d+,stream-\d+,created/.test(line))).toHaveLength(5)
  },
)

test('a full disk ends the import with an error; it resumes once there is room', async () => {
  const file = bench.write('rows.csv', csvOf(700))
  const words = `observability import ${file} --results results.csv --json`
  // Limits files to 64 kB, so that further writes fail as on a full disk.
  const full = await bench.shell(`ulimit -f 128; pay ${words}`, { env: bench.account })
  expect(full, full.stderr).toMatchObject({ exitCode: 14 })
  expect(errorOf(full)).toMatchObject({ code: 'unwritable_file', exitCode: 14 })
  const again = await bench.importing(`${file} --results results.csv --json`).ended
  expect(again, again.stderr).toMatchObject({ exitCode: 0 })
  expect(summaryOf(again.stdout)).toMatchObject({ rows: 700, failed: 0, unknown: 0 })
  expect(rowsIn('results.csv')).toEqual(upTo(700))
})

/** Larger runs: PAY_TEST_FAULT_ROWS=2000 npm run test:deep -- test/crashes/imports/processes -t faults */
const FAULT_ROWS = Number(process.env['PAY_TEST_FAULT_ROWS'] ?? 60)
const FAULTS = ['429=0', 'drop-before', 'drop-after', 'status=503', 'hang', 'truncate']

test(
  'with faults on a third of the requests, no row is lost and every outcome is true',
  async () => {
    const kinds = ['update', 'skip', 'fail']
    const files = kinds.map((kind) => ({
      kind,
      file: bench.write(`${kind}.csv`, csvOf(FAULT_ROWS, undefined, kind)),
      half: bench.write(`${kind}-half.csv`, csvOf(FAULT_ROWS / 2, undefined, kind)),
    }))
    const before = await Promise.all(files.map(({ half }) => bench.importing(half).ended))
    for (const ended of before) expect(ended, ended.stderr).toMatchObject({ exitCode: 0 })
    await Promise.all(FAULTS.map((fault, index) => bench.addFault(fault, 0.06, index + 1)))
    const words = '--timeout 1s --max-retries 5 --concurrency 8 --json'
    const ran = await Promise.all(
      files.map(
        ({ kind, file }) =>
          bench.importing(`${file} --on-exists ${kind} --results ${kind}-results.csv ${words}`).ended,
      ),
    )
    await bench.clearFaults()
    for (const [index, { kind, file }] of files.entries()) {
      const { stdout = '' } = ran[index] ?? {}
      expect(Number(summaryOf(stdout)['retries'])).toBeGreaterThan(FAULT_ROWS / 20)
      const reported = readTable(bench.folder, `${kind}-results.csv`)
      expect(reported.map(([row]) => Number(row))).toEqual(upTo(FAULT_ROWS))
      // Records cannot be read, so this imports again: existing records are skipped.
      await bench.importing(`${file} --on-exists skip --results there.csv --restart --json -q`).ended
      const there = new Set(
        readTable(bench.folder, 'there.csv').flatMap(([, id = '', outcome]) =>
          outcome === 'skipped' ? [id] : [],
        ),
      )
      for (const [row = '', id = '', outcome = ''] of reported) {
        const wasThere = Number(row) <= FAULT_ROWS / 2
        if (outcome === 'unknown') continue
        expect(there.has(id), `${row} ${outcome}`).toBe(true)
        if (kind === 'update') expect(wasThere ? ['updated'] : ['created', 'updated']).toContain(outcome)
        else if (wasThere) expect(outcome).toBe(kind === 'skip' ? 'skipped' : 'failed')
        else expect(outcome).toBe('created')
      }
    }
    expect(summaryOf(ran[0]?.stdout ?? '')['unknown']).toBeLessThanOrEqual(FAULT_ROWS / 20)
  },
  120_000 + FAULT_ROWS * 200,
)

describe('on a terminal', () => {
  terminalTest('shows a progress bar until the summary', async () => {
    const { env } = await serve(() => ({ body: { amount: 1 }, delayMs: 40 }))
    const file = bench.write('rows.csv', csvOf(120))
    const ran = await payInTerminal(`observability import ${file} --concurrency 4`, {
      env: { ...bench.env, ...bench.account, ...env },
      cwd: bench.folder,
    })
    expect(ran.exitCode).toBe(0)
    expect(ran.raw).toMatch(/█+░+ +\d+ % {2}\d+ rows {2}\d+\/s/)
    expect(ran.screen).toMatch(/Created +120/)
  })

  terminalTest('asks after a trial, with no as the default', async () => {
    const file = bench.write('rows.csv', csvOf(20))
    const ran = await payInTerminal(`observability import ${file} --canary 5`, {
      env: { ...bench.env, ...bench.account },
      cwd: bench.folder,
      steps: [{ when: 'Send the rest?', type: '\r' }],
    })
    expect(ran.exitCode).toBe(14)
    expect(ran.screen).toMatch(/Rows +5/)
  })
})
