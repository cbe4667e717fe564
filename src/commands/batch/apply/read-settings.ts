import { basename, resolve } from 'node:path'
import { refuseEqualFiles } from '../../../rows/keep/equal-files.ts'
import { listFlag, switchFlag, textFlag } from '../../../cli/command/input.ts'
import type { CommandInput } from '../../../cli/command/input.ts'
import { parseCount } from '../../../cli/parse/count.ts'
import { UsageError } from '../../../errors.ts'
import { needsCurrency, parseAmount } from '../../../money/parse.ts'
import { readMaxFailures, readMaxWaitMs, readPace } from '../../file-settings.ts'
import type { MaxFailures } from '../../file-settings.ts'

export interface ApplySettings {
  /** As typed. */
  readonly plan: string
  /** Absolute. */
  readonly planPath: string
  readonly results: string | undefined
  readonly rejects: string | undefined
  readonly concurrency: number | undefined
  /** Requests per second. */
  readonly rate: number | undefined
  readonly maxFailures: MaxFailures | undefined
  readonly maxWaitMs: number
  /** Whether to forget what earlier runs on this machine have noted. */
  readonly isRestarted: boolean
  readonly expected: Expected
}

/** What a script expects of all ready rows. */
export interface Expected {
  /** Minor units by currency; undefined if no total was given. */
  readonly totals: ReadonlyMap<string, number> | undefined
  readonly count: number | undefined
}

/** @throws {UsageError} if a flag is missing, malformed or in conflict with another */
export function readApplySettings(input: CommandInput, cwd: string, plan: string): ApplySettings {
  const [results, rejects] = [textFlag(input, 'results'), textFlag(input, 'rejects')]
  refuseEqualFiles(
    [
      ['PLAN', plan],
      ['--results', results],
      ['--rejects', rejects],
    ],
    cwd,
  )
  const count = textFlag(input, 'expect-count')
  return {
    plan,
    planPath: resolve(cwd, plan),
    results,
    rejects,
    ...readPace(input),
    maxFailures: readMaxFailures(textFlag(input, 'max-failures')),
    maxWaitMs: readMaxWaitMs(textFlag(input, 'max-wait')),
    isRestarted: switchFlag(input, 'restart'),
    expected: {
      totals: readTotals(listFlag(input, 'expect-total')),
      count: count === undefined ? undefined : parseCount(count, '--expect-count'),
    },
  }
}

/**
 * Refuses results and rejects that would overwrite the plan's input. The input may have moved with the plan, so any file of
 * its name is refused.
 * @throws {UsageError} `two_sources`
 */
export function refuseInput({ results, rejects }: ApplySettings, input: string): void {
  for (const [flag, path] of [
    ['--results', results],
    ['--rejects', rejects],
  ])
    if (path !== undefined && basename(path) === input)
      throw new UsageError(`${flag} is ${path}, and the plan was made from a file of that name`, {
        code: 'two_sources',
        outcome: 'none',
        hint: 'Name another file: it would be overwritten.',
      })
}

function readTotals(texts: readonly string[]): Expected['totals'] {
  if (texts.length === 0) return undefined
  const totals = new Map<string, number>()
  for (const text of texts) {
    const { amountMinor, currencyCode } = needsCurrency(text)
      ? { amountMinor: 0, currencyCode: undefined }
      : parseAmount(text, { what: '--expect-total', allowZero: true })
    if (currencyCode === undefined)
      throw new UsageError(`--expect-total takes an amount with its currency, not "${text}"`, {
        code: 'amount_needs_currency',
        hint: 'Write it as --expect-total "1250.00 EUR".',
      })
    if (totals.has(currencyCode))
      throw new UsageError(`--expect-total is given twice for ${currencyCode}`, { code: 'given_twice' })
    totals.set(currencyCode, amountMinor)
  }
  return totals
}
