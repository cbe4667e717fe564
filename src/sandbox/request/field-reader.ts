import type { ValidationProblem } from '../../errors.ts'
import { invalid } from '../problem.ts'

export interface FieldReader<Name> {
  /** Undefined if the field is absent, or isn't as `expected`. */
  readonly read: <T>(name: Name, parse: (text: string) => T | undefined, expected: string) => T | undefined
  readonly refuse: (name: Name, description: string) => void
  /** @throws {Problem} that names every field that was refused */
  readonly finish: () => void
}

/** Reads fields of text one by one. */
export function fieldReader<Given extends object>(given: Given): FieldReader<keyof Given & string> {
  const problems: ValidationProblem[] = []
  const refuse = (name: keyof Given & string, description: string) =>
    void problems.push({ path: `$.${name}`, description })
  return {
    read: (name, parse, expected) => {
      const text = given[name]
      const value = typeof text === 'string' ? parse(text) : undefined
      if (value === undefined && typeof text === 'string') refuse(name, expected)
      return value
    },
    refuse,
    finish: () => {
      if (problems.length > 0) throw invalid(problems)
    },
  }
}

/** The parser of a whole number, and what to expect. */
export const wholeNumber = (least: number, most: number) =>
  [
    (text: string): number | undefined =>
      /^\d{1,16}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined,
    `must be a whole number from ${least} to ${most}`,
  ] as const
