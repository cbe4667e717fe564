import type { Bench } from './run-pay.ts'

export const STORED_KEY = 'key-of-shop-0123456789-abcd'

interface ProfileToStore {
  readonly name?: string
  readonly baseUrl?: string
  readonly mode?: 'test' | 'live'
  readonly key?: string
  /** More flags of `pay profile add`. */
  readonly words?: readonly string[]
}

/** Stores a profile with `pay profile add`, by default the test profile `shop`. */
export async function storeProfile(
  bench: Pick<Bench, 'runPay'>,
  {
    name = 'shop',
    baseUrl = 'https://api.example.com',
    mode = 'test',
    key = STORED_KEY,
    words = [],
  }: ProfileToStore = {},
): Promise<void> {
  const added = await bench.runPay(
    ['profile', 'add', name, '--base-url', baseUrl, `--${mode}`, '--api-key-stdin', '--quiet', ...words],
    { stdin: key },
  )
  if (added.exitCode !== 0) throw new Error(added.stderr)
}
