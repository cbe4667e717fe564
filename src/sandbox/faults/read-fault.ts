import { lazySchema, z } from '../../api/schema.ts'
import { closest } from '../../suggest.ts'
import { parseEffect } from './parse-effect.ts'
import type { NewFault } from './fault.ts'
import type { ParseResult } from './parse-result.ts'
import { readPattern } from './pattern.ts'

const FAULT_FIELDS = ['on', 'do', 'rate', 'seed', 'times', 'skip'] as const
type FaultField = (typeof FAULT_FIELDS)[number]

/** A problem with one field; the description is a clause that follows its name. */
export interface FieldProblem {
  readonly field: string
  readonly description: string
}

/** The random generator uses 32 bits. */
const MAX_SEED = 2 ** 32 - 1
/** Keeps generated seeds short enough to type. */
const GENERATED_SEEDS = 1_000_000
const MAX_COUNT = 1_000_000_000

/** Reads a fault from user input, with numbers as numbers, or reports every problem. */
export function readFault(
  given: Readonly<Record<string, unknown>>,
  random: () => number,
): { readonly fault: NewFault } | { readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = unknownFields(given)
  const read = <T>(field: FaultField, parse: (value: unknown) => ParseResult<T>): T | undefined => {
    const parsed = parse(given[field])
    if ('value' in parsed) return parsed.value
    problems.push({ field, description: parsed.problem })
    return undefined
  }
  const on = read('on', readPattern)
  const effect = read('do', parseEffect)
  const numbers = faultNumbers().safeParse(given)
  for (const { path, message } of numbers.error?.issues ?? [])
    problems.push({ field: String(path[0]), description: message })
  if (on === undefined || effect === undefined || problems.length > 0 || !numbers.success) return { problems }
  const { rate, seed, times, skip } = numbers.data
  return {
    fault: {
      on,
      do: String(given['do']),
      rate: rate ?? 1,
      seed: seed ?? Math.floor(random() * GENERATED_SEEDS),
      ...(times === undefined ? {} : { times }),
      skip: skip ?? 0,
    },
  }
}

function unknownFields(given: Readonly<Record<string, unknown>>): FieldProblem[] {
  return Object.keys(given)
    .filter((name) => !FAULT_FIELDS.some((known) => known === name))
    .map((name) => {
      const suggestion = closest(name, FAULT_FIELDS)
      const hint = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
      return { field: name, description: `is not a known field${hint}` }
    })
}

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
