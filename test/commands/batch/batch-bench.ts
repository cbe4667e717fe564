import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect } from 'vitest'
import { z } from '../../../src/api/schema.ts'
import { createBench } from '../../support/run-pay.ts'
import type { Bench, RunOptions, RunResult } from '../../support/run-pay.ts'

const planAnswer = () =>
  z.looseObject({
    plan: z.string(),
    planId: z.string(),
    digest: z.string(),
    rows: z.number(),
    ready: z.number(),
    refused: z.number(),
    verdicts: z.record(z.string(), z.number()),
  })

const planLine = () =>
  z.looseObject({
    type: z.string(),
    row: z.optional(z.number()),
    verdict: z.optional(z.string()),
    message: z.optional(z.string()),
    paymentId: z.optional(z.string()),
    orderId: z.optional(z.string()),
    amount: z.optional(z.number()),
    currencyCode: z.optional(z.string()),
    ticket: z.optional(z.string()),
    reason: z.optional(z.string()),
    final: z.optional(z.boolean()),
    releases: z.optional(z.number()),
  })

/** A bench for tests of batches, on the embedded sandbox. Call it at the top of a file. */
export function useBatchBench() {
  let bench: Bench
  beforeEach(() => {
    bench = createBench()
  })
  afterEach(() => bench.dispose())

  const pay = (words: string, options?: RunOptions): Promise<RunResult> =>
    bench.runPay(`${words} --sandbox`, options)
  const write = (name: string, text: string) => writeFileSync(join(bench.folder, name), text)
  const read = (name: string) => readFileSync(join(bench.folder, name), 'utf8')
  /** The ID of a payment of 49.90 EUR, captured unless the token says otherwise. */
  async function payment(
    orderId: string,
    { token = 'tok_autocapture', amount = '49.90 EUR' } = {},
  ): Promise<string> {
    const made = await pay(`payment create --token ${token} --amount '${amount}' --order-id ${orderId} -o id`)
    expect(made.exitCode).toBe(0)
    return made.stdout.trim()
  }
  /** The lines of rows in a plan. */
  const rowsIn = (name: string) =>
    read(name)
      .trimEnd()
      .split('\n')
      .filter((line) => line.startsWith('{"type":"row",'))
      .map((line) => planLine().parse(JSON.parse(line)))
  /** Plans the rows of a CSV, and returns what was printed and the rows of the plan. */
  async function plan(operation: string, csv: string, flags = '', options?: RunOptions) {
    write('in.csv', csv)
    const ran = await pay(`batch plan ${operation} in.csv --json ${flags}`, options)
    if (ran.stdout === '') throw new Error(ran.stderr)
    return { ...ran, answer: planAnswer().parse(JSON.parse(ran.stdout)), rows: rowsIn('in.plan.ndjson') }
  }
  return { bench: () => bench, pay, write, read, payment, plan, rowsIn }
}
