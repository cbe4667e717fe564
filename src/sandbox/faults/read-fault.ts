import { lazySchema, z } from '../../api/schema.ts'
import { closest } from '../../suggest.ts'
import type { ValidationProblem } from '../../errors.ts'
import { invalid } from '../problem.ts'
import { formatPath } from '../request/describe-problems.ts'
import { parseEffect } from './parse-effect.ts'
import type { NewFault } from './fault.ts'
import type { ParseResult } from './parse-result.ts'
import { readPattern } from './pattern.ts'

const FAULT_FIELDS = ['on', 'do', 'rate', 'seed', 'times', 'skip'] as const

/** The random generator uses 32 bits. */
const MAX_SEED = 2 ** 32 - 1
/** Keeps generated seeds short enough to type. */
const GENERATED_SEEDS = 1_000_000
const MAX_COUNT = 1_000_000_000

/**
 * Reads a fault, with numbers as numbers.
 * @throws {Problem} that names everything wrong
 */
export function readFault(given: Readonly<Record<string, unknown>>, random: () => number): NewFault {
  const problems = unknownFields(given)
  const read = <T>(field: 'on' | 'do', parse: (value: unknown) => ParseResult<T>): T | undefined => {
    const parsed = parse(given[field])
    if ('value' in parsed) return parsed.value
    problems.push({ path: `$.${field}`, description: parsed.problem })
    return undefined
  }
  const on = read('on', readPattern)
  read('do', parseEffect)
  const numbers = faultNumbers().safeParse(given)
  for (const { path, message } of numbers.error?.issues ?? [])
    problems.push({ path: formatPath(path), description: message })
  if (on === undefined || problems.length > 0 || !numbers.success) throw invalid(problems)
  const { rate = 1, seed = Math.floor(random() * GENERATED_SEEDS), times, skip = 0 } = numbers.data
  return { on, do: String(given['do']), rate, seed, ...(times === undefined ? {} : { times }), skip }
}

const unknownFields = (given: Readonly<Record<string, unknown>>): ValidationProblem[] =>
  Object.keys(given)
    .filter((name) => !FAULT_FIELDS.some((known) => known === name))
    .map((name) => {
      const suggestion = closest(name, FAULT_FIELDS)
      const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
      return { path: formatPath([name]), description: `is not a known field${hint}` }
    })

const SHARE = 'must be a share of the requests, above 0 and up to 1, such as 0.2'

function wholeNumber(min: number, max: number) {
  const expected = `must be a whole number from ${min} to ${max}`
  return z.optional(
    z.int({ error: expected, abort: true }).check(z.minimum(min, expected), z.maximum(max, expected)),
  )
}

const faultNumbers = lazySchema(() =>
  z.looseObject({
    rate: z.optional(z.number(SHARE).check(z.gt(0, SHARE), z.maximum(1, SHARE))),
    seed: wholeNumber(0, MAX_SEED),
    times: wholeNumber(1, MAX_COUNT),
    skip: wholeNumber(0, MAX_COUNT),
  }),
)
