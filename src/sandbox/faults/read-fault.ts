import { lazySchema, z } from '../../api/schema.ts'
import { field, readFields, required } from '../request/fields.ts'
import { FORMS, parseEffect } from './parse-effect.ts'
import type { NewFault } from './fault.ts'
import { EXAMPLE, readPattern } from './pattern.ts'

/** The random generator uses 32 bits. */
const MAX_SEED = 2 ** 32 - 1
/** Keeps generated seeds short enough to type. */
const GENERATED_SEEDS = 1_000_000
const MAX_COUNT = 1_000_000_000

const newFault = lazySchema(() =>
  z.strictObject({
    on: required(readPattern, `: a method and a path, such as ${EXAMPLE}`),
    do: required(effectIn, `: one of ${FORMS.join(', ')}`),
    rate: field(shareIn, 'must be a share of the requests, above 0 and up to 1, such as 0.2'),
    seed: whole(0, MAX_SEED),
    times: whole(1, MAX_COUNT),
    skip: whole(0, MAX_COUNT),
  }),
)

/**
 * Reads a fault, with numbers as numbers.
 * @throws {Problem} that names everything wrong
 */
export function readFault(given: Readonly<Record<string, unknown>>, random: () => number): NewFault {
  const { on, do: effect, rate = 1, seed, times, skip = 0 } = readFields(newFault, given)
  return {
    on,
    do: effect,
    rate,
    seed: seed ?? Math.floor(random() * GENERATED_SEEDS),
    ...(times === undefined ? {} : { times }),
    skip,
  }
}

/** As typed. */
function effectIn(given: unknown): string {
  parseEffect(given)
  return String(given)
}

const shareIn = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value <= 1 ? value : undefined

const whole = (least: number, most: number) =>
  field(
    (value) =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
        ? value
        : undefined,
    `must be a whole number from ${least} to ${most}`,
  )
