import { expect, test, vi } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import type { RunResult } from '../../support/run-pay.ts'

const bench = useBench()

const list = () => bench.runPay('--sandbox payment list')
const get = () => bench.runPay('--sandbox payment get p1')

/** Follows until two pieces are printed that `act` causes, then interrupts. Acts again and again, as it may listen late. */
async function follow(words: string, act: () => Promise<unknown>): Promise<RunResult> {
  const stop = new AbortController()
  let pieces = 0
  const ended = bench.runPay(`sandbox requests --follow ${words}`, {
    signal: stop.signal,
    onStdout: () => {
      pieces += 1
      if (pieces === 2) stop.abort('SIGINT')
    },
  })
  await vi.waitUntil(async () => (await act(), stop.signal.aborted), { timeout: 30_000 })
  return ended
}

test.each([
  ['', /^(?:2026-03-01 12:\d\d:\d\d UTC {2}400 {2}GET {5}\/payments\/p1 {2}PaymentError\n)+$/],
  ['--json', /^(?:\{"at":.*"path":"\/payments\/p1".*\}\n)+$/],
  ['-o csv', /^at,requestId,.*\n(?:.*,\/payments\/p1,.*\n)+$/],
  ['-o id', /^(?:[\w-]{36}\n)+$/],
  ["--query '[].path' -o ndjson", /^(?:"\/payments\/p1"\n)+$/],
])('prints what arrives, each as it comes: %s', async (words, shape) => {
  await list()
  const ended = await follow(`--on '/payments/*' ${words}`, async () => [await list(), await get()])
  expect(ended).toMatchObject({ exitCode: 130, stderr: 'embedded sandbox: no real money\n' })
  expect(ended.stdout).toMatch(shape)
})

test('goes on after the log was emptied', async () => {
  const { stdout } = await follow('', async () => {
    await bench.runPay('sandbox requests clear')
    await get()
  })
  expect(stdout).toMatch(/^(?:.*GET {5}\/payments.*\n){2,}$/)
})

test.each([
  ['--limit 5', '--follow shows every request that arrives, so it takes no --limit'],
  ['clear', "clear doesn't take --on, --limit or --follow"],
])('refuses %s', async (words, says) => {
  const result = await bench.runPay(`sandbox requests ${words} --follow`)
  expect(result).toMatchObject({ exitCode: 2, stdout: '' })
  expect(result.stderr).toContain(says)
})
