import type { ValidationProblem } from '../../errors.ts'
import { closest } from '../../text/suggest.ts'
import { invalid } from '../problem.ts'
import { truncate } from '../truncate.ts'
import { formatPath } from './describe-problems.ts'
import { isStorable, UNSTORABLE } from './validation.ts'

/** A parser throws it to say what is wrong with a field: a clause that follows the field's name. */
export class BadField extends Error {}

/** Quotes input in an error. */
export const quote = (text: string): string => JSON.stringify(truncate(text, 60))

export interface FieldReader<Value> {
  /** Undefined if the field is absent or refused: `parse` threw a {@link BadField}, or returned undefined for what isn't as `expected`. */
  readonly read: <T>(name: string, parse: (value: Value) => T | undefined, expected?: string) => T | undefined
  readonly refuse: (name: string, description: string) => void
  /** @throws {Problem} that names every field that was refused, and every one that nobody read */
  readonly finish: () => void
}

/** Reads fields one by one. */
export function fieldReader<Value>(given: Readonly<Partial<Record<string, Value>>>): FieldReader<Value> {
  const problems: ValidationProblem[] = []
  const known = new Set<string>()
  const refuse = (name: string, description: string) =>
    void problems.push({ path: formatPath([name]), description })
  const parsed = <T>(
    name: string,
    value: Value,
    parse: (value: Value) => T | undefined,
    expected: string,
  ) => {
    if (typeof value === 'string' && !isStorable(value)) return refuse(name, UNSTORABLE)
    try {
      return parse(value) ?? refuse(name, expected)
    } catch (error) {
      if (!(error instanceof BadField)) throw error
      return refuse(name, error.message)
    }
  }
  return {
    read: (name, parse, expected = '') => {
      known.add(name)
      const value = given[name]
      return value === undefined ? undefined : (parsed(name, value, parse, expected) ?? undefined)
    },
    refuse,
    finish: () => {
      for (const name of Object.keys(given).filter((each) => !known.has(each))) {
        const suggestion = closest(name, [...known])
        refuse(name, `is not a known field${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`)
      }
      if (problems.length > 0) throw invalid(problems)
    },
  }
}

/** For a field whose text is taken as it is. */
export const asGiven = <T>(value: T): T => value

/** In one filter of a list. */
export const MAX_VALUES = 100

/** @throws {BadField} */
export function refuseTooMany(values: readonly string[]): readonly string[] {
  if (values.length > MAX_VALUES) throw new BadField(`must have at most ${MAX_VALUES} values`)
  return values
}

/** The parser of a whole number in a text, and what to expect. */
export const wholeNumber = (least: number, most: number) =>
  [
    (text: string): number | undefined =>
      /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
    `must be a whole number from ${least} to ${most}`,
  ] as const
