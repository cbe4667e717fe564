import { z } from '../../api/schema.ts'
import { closest } from '../../text/suggest.ts'
import { invalid, truncate } from '../problem.ts'
import { describeIssue, formatPath } from './describe-problems.ts'
import { isStorable, UNSTORABLE } from '../../text/storable.ts'

/** The error of a parser: says what is wrong with a field, in a clause that follows the field's name. */
export class BadField extends Error {}

/** Quotes input in an error. */
export const quote = (text: string): string => JSON.stringify(truncate(text, 60))

type Parse<Value, Parsed> = (value: Value) => Parsed | undefined

const parsed = <Parsed>(parse: Parse<unknown, Parsed>, expected: string) =>
  z.pipe(
    z.unknown(),
    z.transform((value, { issues }): Parsed => {
      try {
        if (typeof value === 'string' && !isStorable(value)) throw new BadField(UNSTORABLE)
        const found = parse(value)
        if (found !== undefined) return found
        throw new BadField(expected)
      } catch (error) {
        if (!(error instanceof BadField)) throw error
        issues.push({ code: 'custom', message: error.message, input: value })
        return z.NEVER
      }
    }),
  )

/** An optional field. `parse` throws a {@link BadField}, or returns undefined for what isn't as `expected`. */
export const field = <Parsed>(parse: Parse<unknown, Parsed>, expected = '') =>
  z.optional(parsed(parse, expected))

/** A required field. `what` goes on after "is required". */
export const required = <Parsed>(parse: Parse<unknown, Parsed>, what = '') =>
  parsed((value) => {
    if (value === undefined) throw new BadField(`is required${what}`)
    return parse(value)
  }, '')

/** A field of a query, or a flag. */
export const textField = <Parsed = string>(parse: Parse<string, Parsed>, expected?: string) =>
  field((value) => (typeof value === 'string' ? parse(value) : undefined), expected)

/** Returns the text of a field as it is. */
export const asGiven = (given: string): string => given

/** Returns a parser of whole numbers in text. */
export const wholeNumber = (
  least: number,
  most: number,
  expected = `must be a whole number from ${least} to ${most}`,
) =>
  textField(
    (digits) =>
      /^\d{1,16}$/.test(digits) && Number(digits) >= least && Number(digits) <= most
        ? Number(digits)
        : undefined,
    expected,
  )

/** The most values in one filter of a list. */
export const MAX_VALUES = 100

/** @throws {BadField} */
export function refuseTooMany(values: readonly string[]): readonly string[] {
  if (values.length > MAX_VALUES) throw new BadField(`must have at most ${MAX_VALUES} values`)
  return values
}

/**
 * Reads these fields of a query, a body or the flags of a command.
 * @throws {Problem} that names every field that was refused, and every one that isn't known
 */
export function readFields<Shape extends z.core.$ZodShape>(
  fields: () => z.ZodMiniObject<Shape>,
  given: Readonly<Record<string, unknown>>,
): z.output<z.ZodMiniObject<Shape>> {
  const result = z.safeParse(fields(), given)
  if (result.success) return result.data
  throw invalid(
    result.error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((name) => unknownField(name, Object.keys(fields().shape)))
        : [describeIssue(issue, given)],
    ),
  )
}

function unknownField(name: string, known: readonly string[]) {
  const suggestion = closest(name, known)
  return {
    path: formatPath([name]),
    description: `is not a known field${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`,
  }
}
