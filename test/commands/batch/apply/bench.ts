import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanHeader, PlanRow, PlanTrailer } from '../../../../src/rows/batch/plan.ts'
import { writeTestPlan } from '../../../support/batch-plan.ts'
import { createBench } from '../../../support/run-pay.ts'
import type { Bench, RunOptions, RunResult } from '../../../support/run-pay.ts'

/** A bench with the embedded sandbox and one plan, `p.plan.ndjson`. */
export interface BatchBench extends Bench {
  /** A captured payment of 49.90 EUR. */
  readonly paid: () => Promise<string>
  readonly authorized: () => Promise<string>
  readonly payment: (
    id: string,
  ) => Promise<{ readonly status: string; readonly refunded: number; readonly captured: number }>
  readonly plan: (rows: Iterable<PlanRow>, header?: Partial<PlanHeader>) => PlanTrailer
  /** `pay --sandbox --json batch apply p.plan.ndjson …` */
  readonly apply: (more?: string, options?: RunOptions) => Promise<RunResult & { readonly summary: Summary }>
  readonly refund: (id: string, words: string) => Promise<RunResult>
  /** Changes to the state folder of another machine, which knows nothing of what this one has done, and back. */
  readonly changeMachine: () => void
  readonly lines: (name: string) => readonly string[]
}

interface Summary {
  readonly done: number
  readonly skipped: number
  readonly failed: number
  readonly unknown: number
  readonly left: number
}

export function createBatchBench(): BatchBench {
  const bench = createBench()
  const create = async (token: string): Promise<string> => {
    const { stdout } = await bench.runPay(
      `payment create --token ${token} --amount '49.90 EUR' --order-id order-1 --sandbox -o id`,
    )
    return stdout.trim()
  }
  return {
    ...bench,
    paid: () => create('tok_autocapture'),
    authorized: () => create('tok_visa'),
    payment: async (id) => {
      const { stdout } = await bench.runPay(`payment get ${id} --sandbox --json`)
      const { status, processor } = JSON.parse(stdout)
      return { status, refunded: processor.amountRefunded, captured: processor.amountCaptured }
    },
    plan: (rows, header) => writeTestPlan(join(bench.folder, 'p.plan.ndjson'), rows, header),
    apply: async (more = '', options = {}) => {
      const r = await bench.runPay(`batch apply p.plan.ndjson --sandbox --json ${more}`, options)
      return { ...r, summary: r.stdout === '' ? NOTHING : JSON.parse(r.stdout) }
    },
    refund: (id, words) => bench.runPay(`payment refund ${id} --sandbox ${words}`),
    changeMachine: () => {
      for (const name of ['ledger.db', 'batches']) {
        const here = join(bench.stateFolder, name)
        const [there, aside] = [`${here}.there`, `${here}.aside`]
        if (existsSync(here)) renameSync(here, aside)
        if (existsSync(there)) renameSync(there, here)
        if (existsSync(aside)) renameSync(aside, there)
      }
    },
    lines: (name) => readFileSync(join(bench.folder, name), 'utf8').trimEnd().split('\n'),
  }
}

const NOTHING: Summary = { done: 0, skipped: 0, failed: 0, unknown: 0, left: 0 }
