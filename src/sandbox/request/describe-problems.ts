import type { UnknownEntry } from '../../api/unknown-fields.ts'
import { choosesMoney } from '../../api/versions.ts'
import type { z } from '../../api/schema.ts'
import type { ValidationProblem } from '../../errors.ts'
import { originalKey } from './prototype-key.ts'
import { truncate } from '../problem.ts'
import { fieldAt } from '../../json/fields.ts'

type Path = readonly PropertyKey[]

/** The longest list that an error prints. */
const MAX_SHOWN_VALUES = 20

export function describeIssue(issue: z.core.$ZodIssue, body: unknown): ValidationProblem {
  const steps = issue.path.map(originalKey)
  const path = formatPath(steps)
  if (fieldAt(body, steps) === undefined && issue.code !== 'custom')
    return { path, description: 'is required' }
  switch (issue.code) {
    case 'invalid_type':
      return { path, description: `must be ${describeType(issue.expected)}` }
    case 'too_small':
      return {
        path,
        description: issue.origin === 'string' ? 'must not be empty' : `must be at least ${issue.minimum}`,
      }
    case 'too_big':
      return { path, description: `must be at most ${issue.maximum}` }
    case 'invalid_union':
      return { path, description: 'must be a string or an integer' }
    case 'custom':
    case 'invalid_value':
      return { path, description: issue.message }
    default:
      return { path, description: 'is not valid' }
  }
}

export function describeUnknownEntry(entry: UnknownEntry): ValidationProblem {
  const path = formatPath(entry.path)
  if (entry.kind === 'unknown-field')
    return {
      path,
      description: choosesMoney(entry.path)
        ? 'is not supported, and not ignored: it chooses which money moves'
        : 'is not a known field',
    }
  const known =
    entry.words ?? (entry.known.length <= MAX_SHOWN_VALUES ? `one of ${entry.known.join(', ')}` : undefined)
  return { path, description: known === undefined ? 'has an unknown value' : `must be ${known}` }
}

const TYPES: Readonly<Record<string, string>> = {
  int: 'an integer of at most 2^53-1',
  number: 'an integer of at most 2^53-1',
  object: 'an object',
  record: 'an object',
  array: 'an array',
  boolean: 'true or false',
  string: 'a string',
}

const describeType = (expected: string) => TYPES[expected] ?? expected

const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/

/** The longest key in an error: keys can be as long as the body, and every problem names one. */
const MAX_KEY_LENGTH = 100
const MAX_PATH_LENGTH = 1_000

/** Writes a path as JSONPath: `$.order.lineItems[0].amount`. */
export function formatPath(path: Path): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`
    const key = truncate(String(step), MAX_KEY_LENGTH)
    return PLAIN_KEY.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
  })
  return truncate(`$${steps.join('')}`, MAX_PATH_LENGTH)
}
