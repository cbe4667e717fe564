import { fieldReader } from '../request/field-reader.ts'
import { FORMS, parseEffect } from './parse-effect.ts'
import type { NewFault } from './fault.ts'
import { EXAMPLE, readPattern } from './pattern.ts'

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
  const { read, refuse, finish } = fieldReader<unknown>(given)
  if (given['on'] === undefined) refuse('on', `is required: a method and a path, such as ${EXAMPLE}`)
  if (given['do'] === undefined) refuse('do', `is required: one of ${FORMS.join(', ')}`)
  const on = read('on', readPattern) ?? ''
  read('do', parseEffect)
  const rate = read('rate', shareIn, 'must be a share of the requests, above 0 and up to 1, such as 0.2')
  const seed = read('seed', ...whole(0, MAX_SEED))
  const times = read('times', ...whole(1, MAX_COUNT))
  const skip = read('skip', ...whole(0, MAX_COUNT))
  finish()
  return {
    on,
    do: String(given['do']),
    rate: rate ?? 1,
    seed: seed ?? Math.floor(random() * GENERATED_SEEDS),
    ...(times === undefined ? {} : { times }),
    skip: skip ?? 0,
  }
}

const shareIn = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value <= 1 ? value : undefined

const whole = (least: number, most: number) =>
  [
    (value: unknown): number | undefined =>
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
        ? value
        : undefined,
    `must be a whole number from ${least} to ${most}`,
  ] as const
