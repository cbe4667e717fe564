import { unusableFile } from '../../read/unusable-file.ts'
import { UsageError } from '../../../errors.ts'
import { agree } from '../../../text/words.ts'

/** The error for a file that is no plan at all. */
export const notAPlan = (shown: string): UsageError =>
  new UsageError(`${shown} is not a batch plan`, {
    code: 'not_a_plan',
    outcome: 'none',
    hint: 'pay batch plan writes a plan: give the path that it printed.',
    next: ['pay batch list'],
  })

const PLAN = Buffer.from('{"type":"plan","version":')

/**
 * Refuses a plan where a file of rows is expected, recognized by its first bytes.
 * @throws {UsageError} `unusable_file`
 */
export function refusePlan(head: Buffer, shown: string): void {
  if (head.subarray(0, PLAN.length).equals(PLAN))
    throw unusableFile(
      `${shown} is a batch plan, not a file of rows`,
      'pay batch show PLAN shows its rows, and pay batch apply PLAN carries it out. To plan again, name the file that it was made from.',
    )
}

export const otherVersion = (shown: string, version: unknown): UsageError =>
  new UsageError(
    `${shown} is a plan of version ${JSON.stringify(version)}; this version of pay reads version 1`,
    {
      code: 'plan_version',
      outcome: 'none',
      hint: 'Use the pay version that wrote it, or plan the input again.',
    },
  )

/** The error for a changed plan. `problem` completes "the plan was changed: …". */
export const planChanged = (shown: string, problem: string): UsageError =>
  new UsageError(`${shown} was changed after it was planned: ${problem}`, {
    code: 'plan_changed',
    outcome: 'none',
    hint: 'Restore the file, or plan the input again. A plan must not be edited.',
  })

/** The error for a plan that another process has replaced since it was read. */
export const planReplaced = (shown: string): UsageError =>
  new UsageError(`${shown} is another plan by now`, {
    code: 'plan_changed',
    outcome: 'none',
    hint: 'Look at it with pay batch show before you apply it.',
  })

export const planCut = (shown: string): UsageError =>
  new UsageError(`${shown} is incomplete: its end is missing`, {
    code: 'plan_changed',
    outcome: 'none',
    hint: 'Copy the file again, or plan the input again.',
  })

export const planBegun = (
  shown: string,
  { done, ready }: { readonly done: number; readonly ready: number },
): UsageError =>
  new UsageError(
    `${shown} is a plan that was begun: ${done} of ${ready} ready rows ${agree(done, 'is', 'are')} done`,
    {
      code: 'plan_begun',
      outcome: 'none',
      hint: 'Finish it with pay batch apply, or name another file with --out.',
    },
  )

export const planExists = (shown: string): UsageError =>
  new UsageError(`${shown} already exists`, {
    code: 'plan_exists',
    outcome: 'none',
    hint: 'Name another file with --out, or remove this one.',
  })
