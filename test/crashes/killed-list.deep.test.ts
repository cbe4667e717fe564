import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serve, useSpawnBench } from '../support/use-spawn-bench.ts'

/**
 * Kills real processes that write a list to a file: `LIST_KILLS=200 LIST_SEED=7 npm run test:deep -- test/crashes/killed-list`
 * kills more. The seed decides the delays; what a kill hits depends on the machine.
 */
const KILLS = Number(process.env['LIST_KILLS'] ?? 12)
const SEED = Number(process.env['LIST_SEED'] ?? 1)
const ROWS = 20_000

const bench = useSpawnBench()

function randomFrom(start: number): () => number {
  let state = start
  return () => {
    state = (state * 16_807) % 2_147_483_647
    return state / 2_147_483_647
  }
}

const payment = (row: number) => ({
  id: `p${row}`,
  status: 'SETTLED',
  amount: row,
  currencyCode: 'EUR',
  orderId: `order-${row}`,
  metadata: { note: 'x'.repeat(row % 400) },
})

test.each(['all.ndjson', 'all.csv.gz'])(
  'a list killed many times has the bytes of one that was not: %s',
  { timeout: KILLS * 20_000 + 60_000 },
  async (name) => {
    const random = randomFrom(SEED)
    const { env } = await serve(({ url }) => {
      const query = new URL(url, 'http://localhost').searchParams
      const from = Number(query.get('cursor') ?? 0)
      const to = Math.min(from + 100, ROWS)
      const data = Array.from({ length: to - from }, (_, index) => payment(from + index))
      return { body: { data, ...(to < ROWS ? { nextCursor: String(to) } : {}) } }
    })
    const bytesAt = (file: string) => readFileSync(join(bench.folder, file))
    const line = (file: string) => `payment list --all --out ${file}`
    expect(await bench.pay(line(`whole.${name}`), { env, cwd: bench.folder })).toMatchObject({ exitCode: 0 })

    let kills = 0
    let number = 0
    while (kills < KILLS) {
      number += 1
      const file = `${number}.${name}`
      // Each process gets a few pages further, so that one list survives many kills.
      let exitCode: number | null = null
      while (exitCode === null) {
        const running = bench.start(line(file), { env, cwd: bench.folder })
        const before = existsSync(join(bench.folder, file)) ? bytesAt(file).length : 0
        if (kills < KILLS) {
          while (!existsSync(join(bench.folder, file)) || bytesAt(file).length === before) {
            if (running.child.exitCode !== null) break
            await pause(2)
          }
          await pause(random() * 150)
          running.kill('SIGKILL')
        }
        const ended = await running.ended
        exitCode = ended.exitCode
        if (exitCode === null) kills += 1
        else expect(exitCode, ended.stderr).toBe(0)
      }
      expect(bytesAt(file).equals(bytesAt(`whole.${name}`)), `${file} after ${kills} kills`).toBe(true)
    }
  },
)
