import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newFolder, openService, settledPayment, textAt } from '../service.ts'

// Below node_modules, so that the bundle finds external packages.
const CACHE = join(import.meta.dirname, '../../../node_modules/.cache', `sandbox-processes-${process.pid}`)
const WORKER = join(CACHE, 'worker.mjs')

beforeAll(async () => {
  mkdirSync(CACHE, { recursive: true })
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'process-worker.ts'),
    platform: 'node',
    external: ['@photostructure/sqlite'],
    logLevel: 'silent',
  })
  await bundle.write({ file: WORKER, format: 'esm' })
})
afterAll(() => rmSync(CACHE, { recursive: true, force: true }))

/** Runs a worker to its end, or kills it after some lines; returns its output. */
function work(
  args: readonly string[],
  killAfterLines = Number.POSITIVE_INFINITY,
  command: readonly [string, ...string[]] = [process.execPath],
): Promise<readonly string[]> {
  const [file, ...first] = command
  const child = spawn(file, [...first, WORKER, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(line)
    if (lines.length === killAfterLines) child.kill('SIGKILL')
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve(lines))
  })
}

const done = (lines: readonly string[]) => lines.filter((line) => line.startsWith('200 '))

test('two processes with the same keys create each payment once', async () => {
  const folder = newFolder()
  const lines = (await Promise.all([work([folder, 'create']), work([folder, 'create'])])).flat()
  expect(lines).toHaveLength(80)
  expect(done(lines)).toHaveLength(40)
  const service = await openService(folder)
  const { data } = await service.ok('GET', '/payments')
  expect(new Set(Array.isArray(data) ? data.map((row) => textAt(row, 'orderId')) : []).size).toBe(40)
  expect(data).toHaveLength(40)
})

test('two processes refund no more than was captured and lose nothing', async () => {
  const service = await openService()
  const id = await settledPayment(service)
  const lines = (
    await Promise.all([work([service.folder, 'refund', id]), work([service.folder, 'refund', id])])
  ).flat()
  expect(done(lines)).toHaveLength(33)
  expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ processor: { amountRefunded: 990 } })
})

test('kill -9 loses nothing that was answered', async () => {
  const folder = newFolder()
  const answered = await work([folder, 'until-killed'], 25)
  const service = await openService(folder)
  for (const line of answered) {
    const [, id = '', key = ''] = line.split(' ')
    expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ id, orderId: key })
  }
  expect(answered.length).toBeGreaterThanOrEqual(25)
})

// No file may grow beyond 600 blocks of 512 bytes, like on a full disk.
const SMALL_DISK = ['/bin/sh', '-c', `ulimit -f 600; exec '${process.execPath}' "$@"`, 'sh'] as const

test.skipIf(process.platform === 'win32')(
  'a full disk is reported and loses nothing that was answered',
  async () => {
    const folder = newFolder()
    const lines = await work([folder, 'until-refused'], undefined, SMALL_DISK)
    expect(lines.at(-1)).toMatch(/^refused sandbox_disk(_full)?$/)
    const answered = done(lines)
    expect(answered.length).toBeGreaterThan(5)
    const service = await openService(folder)
    for (const line of answered) {
      const [, id = '', key = ''] = line.split(' ')
      expect(await service.ok('GET', `/payments/${id}`)).toMatchObject({ id, orderId: key })
    }
    const { data } = await service.ok('GET', `/payments?order_id=endless-${answered.length}`)
    expect(data).toEqual([])
  },
)
