import { closest } from '../../suggest.ts'
import { parseEffect } from './effect.ts'
import type { NewFault } from './fault.ts'
import type { Parsed } from './parsed.ts'
import { readPattern } from './pattern.ts'

const FAULT_FIELDS = ['on', 'do', 'rate', 'seed', 'times', 'skip'] as const
type FaultField = (typeof FAULT_FIELDS)[number]

/** A problem of one field; the description is a clause to stand behind its name. */
export interface FieldProblem {
  readonly field: string
  readonly description: string
}

/** The generator of chances takes 32 bits. */
const LARGEST_SEED = 2 ** 32 - 1
/** A seed that was not chosen has to be typed again by somebody. */
const CHOSEN_SEEDS = 1_000_000
const LARGEST_COUNT = 1_000_000_000

/** A fault from what a person or a program gives, its numbers as numbers; or all that is wrong with it at once. */
export function readFault(
  given: Readonly<Record<string, unknown>>,
  random: () => number,
): { readonly fault: NewFault } | { readonly problems: readonly FieldProblem[] } {
  const problems: FieldProblem[] = unknownFields(given)
  const read = <T>(field: FaultField, parse: (value: unknown) => Parsed<T>): T | undefined => {
    const parsed = parse(given[field])
    if ('value' in parsed) return parsed.value
    problems.push({ field, description: parsed.problem })
    return undefined
  }
  const on = read('on', readPattern)
  const effect = read('do', parseEffect)
  const rate = read('rate', optional(parseRate))
  const seed = read('seed', optional(wholeNumber(0, LARGEST_SEED)))
  const times = read('times', optional(wholeNumber(1, LARGEST_COUNT)))
  const skip = read('skip', optional(wholeNumber(0, LARGEST_COUNT)))
  if (problems.length > 0 || on === undefined || effect === undefined) return { problems }
  return {
    fault: {
      on,
      do: String(given['do']),
      rate: rate ?? 1,
      seed: seed ?? Math.floor(random() * CHOSEN_SEEDS),
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
      const words = suggestion === undefined ? '' : `; did you mean ${suggestion}?`
      return { field: name, description: `is not a known field${words}` }
    })
}

const optional =
  <T>(parse: (value: unknown) => Parsed<T>) =>
  (value: unknown): Parsed<T | undefined> =>
    value === undefined ? { value } : parse(value)

const parseRate = (value: unknown): Parsed<number> =>
  typeof value === 'number' && value > 0 && value <= 1
    ? { value }
    : { problem: 'must be a share of the requests, above 0 and up to 1, such as 0.2' }

const wholeNumber =
  (least: number, most: number) =>
  (value: unknown): Parsed<number> =>
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most
      ? { value }
      : { problem: `must be a whole number from ${least} to ${most}` }
