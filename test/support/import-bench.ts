import { createReadStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { firstRecords } from '../../src/rows/read/csv.ts'
import { createSpawnBench } from './spawn-pay.ts'
import type { Ended, Running, SpawnBench } from './spawn-pay.ts'

/** Runs imports with the built program, into a sandbox that is served over HTTP. */
export interface ImportBench extends SpawnBench {
  readonly account: Readonly<Record<string, string>>
  readonly url: string
  readonly importing: (words: string, options?: ImportingOptions) => Running
  /** Runs the same import repeatedly: killed after each of these times, then to its end. */
  readonly importKilled: (
    words: string,
    killsAfterMs: readonly number[],
    options?: ImportingOptions,
  ) => Promise<Ended>
  readonly write: (name: string, content: string | Uint8Array) => string
  readonly writeGzip: (name: string, content: string) => string
  readonly addFault: (kind: string, rate: number, seed: number) => Promise<void>
  readonly clearFaults: () => Promise<void>
  readonly close: () => Promise<void>
}

interface ImportingOptions {
  /** A file in the bench's folder to send to stdin. */
  readonly stdinFile?: string
  readonly env?: Readonly<Record<string, string>>
}

export async function createImportBench(): Promise<ImportBench> {
  const bench = createSpawnBench()
  const sandbox = bench.start('sandbox start --port 0 --ephemeral --json', { keepsStdinOpen: true })
  await sandbox.says('"apiKeys"')
  const url = /"url":"([^"]+)"/.exec(sandbox.printed())?.[1] ?? ''
  const dataDir = /"dataDir":"([^"]+)"/.exec(sandbox.printed())?.[1] ?? ''
  const account = { PAY_API_KEY: 'sandbox_all', PAY_BASE_URL: url }

  const importing = (words: string, { stdinFile, env = {} }: ImportingOptions = {}): Running => {
    const running = bench.start(`observability import ${words}`, {
      env: { ...account, ...env },
      keepsStdinOpen: stdinFile !== undefined,
    })
    const { stdin } = running.child
    if (stdinFile !== undefined && stdin !== null) createReadStream(join(bench.folder, stdinFile)).pipe(stdin)
    return running
  }
  const control = async (words: string): Promise<void> => {
    const ended = await bench.pay(`sandbox ${words} --data ${dataDir} -q`)
    if (ended.exitCode !== 0) throw new Error(ended.stderr)
  }
  return {
    ...bench,
    account,
    url,
    importing,
    importKilled: async (words, killsAfterMs, options) => {
      for (const ms of killsAfterMs) {
        const running = importing(words, options)
        const timer = setTimeout(() => running.kill('SIGKILL'), ms)
        const ended = await running.ended
        clearTimeout(timer)
        if (ended.signal === null) return ended
      }
      return importing(words, options).ended
    },
    write: (name, content) => {
      writeFileSync(join(bench.folder, name), content)
      return name
    },
    writeGzip: (name, content) => {
      writeFileSync(join(bench.folder, name), gzipSync(content))
      return name
    },
    addFault: (kind, rate, seed) =>
      control(`faults add --on '* /observability/**' --do ${kind} --rate ${rate} --seed ${seed}`),
    clearFaults: () => control('faults clear'),
    close: async () => {
      sandbox.kill('SIGTERM')
      await sandbox.ended
      bench.dispose()
    },
  }
}

export const HEADER =
  'paymentId,currencyCode,processor.name,amount,createdAt,order.id,paymentMethod.paymentMethodType,status\n'

/** A valid row, unless the given amount is invalid. */
export const rowOf = (id: string, amount: number | string = 2500): string =>
  `${id},EUR,ACME,${amount},2026-01-31T09:30:00Z,order-1,PAYMENT_CARD,SETTLED\n`

/** Rows `ext-1`, `ext-2` and so on. */
export const csvOf = (
  rows: number,
  amountOf: (row: number) => number | string = () => 2500,
  prefix = 'ext',
): string => {
  const lines = Array.from({ length: rows }, (_, index) =>
    rowOf(`${prefix}-${index + 1}`, amountOf(index + 1)),
  )
  return HEADER + lines.join('')
}

export const upTo = (rows: number): readonly number[] => Array.from({ length: rows }, (_, index) => index + 1)

/** The cells of a results or rejects file without its header; `[]` if there is no file. */
export function readTable(folder: string, name: string): readonly (readonly string[])[] {
  const path = join(folder, name)
  if (!existsSync(path)) return []
  return firstRecords(readFileSync(path), {})
    .slice(1)
    .map(({ cells }) => cells)
}
