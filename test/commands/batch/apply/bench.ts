import { existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanHeader, PlanRow } from '../../../../src/rows/batch/plan.ts'
import { writeTestPlan } from '../../../support/batch-plan.ts'
import type { RunOptions, RunResult } from '../../../support/run-pay.ts'
import { useBench } from '../../../support/use-bench.ts'

interface Summary {
  readonly done: number
  readonly skipped: number
  readonly failed: number
  readonly unknown: number
  readonly left: number
}

/** A bench for each test of a file, with the embedded sandbox and one plan, `p.plan.ndjson`. */
export function useApplyBench() {
  const bench = useBench()
  const create = async (token: string): Promise<string> => {
    const { stdout } = await bench.runPay(
      `payment create --token ${token} --amount '49.90 EUR' --order-id order-1 --sandbox -o id`,
    )
    return stdout.trim()
  }
  return Object.assign(bench, {
    /** A captured payment of 49.90 EUR. */
    paid: () => create('tok_autocapture'),
    authorized: () => create('tok_visa'),
    payment: async (id: string) => {
      const { stdout } = await bench.runPay(`payment get ${id} --sandbox --json`)
      const { status, processor } = JSON.parse(stdout)
      return { status, refunded: processor.amountRefunded, captured: processor.amountCaptured }
    },
    plan: (rows: Iterable<PlanRow>, header?: Partial<PlanHeader>) =>
      writeTestPlan(join(bench.folder, 'p.plan.ndjson'), rows, header),
    /** `pay --sandbox --json batch apply p.plan.ndjson …` */
    apply: async (
      more = '',
      options: RunOptions = {},
    ): Promise<RunResult & { readonly summary: Summary }> => {
      const r = await bench.runPay(`batch apply p.plan.ndjson --sandbox --json ${more}`, options)
      return { ...r, summary: r.stdout === '' ? NOTHING : JSON.parse(r.stdout) }
    },
    refund: (id: string, words: string) => bench.runPay(`payment refund ${id} --sandbox ${words}`),
    /** Changes to the state folder of another machine, which knows nothing of what this one has done, and back. */
    changeMachine: () => {
      for (const name of ['ledger.db', 'batches']) {
        const here = join(bench.stateFolder, name)
        const [there, aside] = [`${here}.there`, `${here}.aside`]
        if (existsSync(here)) renameSync(here, aside)
        if (existsSync(there)) renameSync(there, here)
        if (existsSync(aside)) renameSync(aside, there)
      }
    },
    lines: (name: string) => readFileSync(join(bench.folder, name), 'utf8').trimEnd().split('\n'),
  })
}

const NOTHING: Summary = { done: 0, skipped: 0, failed: 0, unknown: 0, left: 0 }
