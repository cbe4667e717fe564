import { expect } from 'vitest'
import type { Bench } from '../../support/run-pay.ts'

/** The JSON that a successful command prints. */
export async function jsonOf(bench: Bench, words: string | readonly string[]): Promise<unknown> {
  const result = await bench.runPay([...(typeof words === 'string' ? words.split(' ') : words), '--json'])
  expect(result, result.stderr).toMatchObject({ exitCode: 0 })
  return JSON.parse(result.stdout)
}
