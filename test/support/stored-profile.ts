import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './run-pay.ts'

export const STORED_KEY = 'key-of-shop-0123456789-abcd'

export interface ProfileToStore {
  readonly name?: string
  readonly baseUrl?: string
  readonly mode?: 'test' | 'live'
  readonly key?: string
  /** More flags of `pay profile add`. */
  readonly words?: readonly string[]
}

/** The configuration that a command wrote into an empty folder before. */
const written = new Map<string, string>()

/** Stores a profile with `pay profile add`, by default the test profile `shop`. */
export async function storeProfile(
  bench: Pick<Bench, 'runPay' | 'configFolder'>,
  {
    name = 'shop',
    baseUrl = 'https://api.example.com',
    mode = 'test',
    key = STORED_KEY,
    words = [],
  }: ProfileToStore = {},
): Promise<void> {
  const line = [
    'profile',
    'add',
    name,
    '--base-url',
    baseUrl,
    `--${mode}`,
    '--api-key-stdin',
    '--quiet',
    ...words,
  ]
  const path = join(bench.configFolder, 'config.json')
  const isFirst = !existsSync(path)
  const id = JSON.stringify([line, key])
  const before = isFirst ? written.get(id) : undefined
  if (before !== undefined) return writeFileSync(path, before, { mode: 0o600 })
  const added = await bench.runPay(line, { stdin: key })
  if (added.exitCode !== 0) throw new Error(added.stderr)
  if (isFirst) written.set(id, readFileSync(path, 'utf8'))
}
