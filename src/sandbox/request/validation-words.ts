import type { UnknownEntry } from '../../api/unknown-fields.ts'
import type { z } from '../../api/schema.ts'
import type { ValidationProblem } from '../../errors.ts'
import { givenKey } from './prototype-key.ts'
import { shortened } from '../shortened.ts'
import { isRecord } from '../../is-record.ts'

type Path = readonly PropertyKey[]

/** Lists longer than this are not printed into an error. */
const SHOWN_VALUES = 20

export function wordIssue(issue: z.core.$ZodIssue, body: unknown): ValidationProblem {
  const steps = issue.path.map(givenKey)
  const path = wordPath(steps)
  if (valueAt(body, steps) === undefined && issue.code !== 'custom')
    return { path, description: 'is required' }
  switch (issue.code) {
    case 'invalid_type':
      return { path, description: `must be ${wordType(issue.expected)}` }
    case 'too_small':
      return { path, description: `must be at least ${issue.minimum}` }
    case 'too_big':
      return { path, description: `must be at most ${issue.maximum}` }
    case 'invalid_union':
      return { path, description: 'must be a string or an integer' }
    case 'custom':
      return { path, description: issue.message }
    default:
      return { path, description: 'is not valid' }
  }
}

export function wordFinding(finding: UnknownEntry): ValidationProblem {
  const path = wordPath(finding.path)
  if (finding.kind === 'unknown-field') return { path, description: 'is not a known field' }
  const known =
    finding.words ?? (finding.known.length <= SHOWN_VALUES ? `one of ${finding.known.join(', ')}` : undefined)
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

const wordType = (expected: string) => TYPES[expected] ?? expected

const PLAIN_KEY = /^[A-Za-z_$][\w$]*$/

/** A client can choose keys as long as its body, and every problem names one. */
const LONGEST_KEY = 100
const LONGEST_PATH = 1_000

/** JSONPath: `$.order.lineItems[0].amount`. */
export function wordPath(path: Path): string {
  const steps = path.map((step) => {
    if (typeof step === 'number') return `[${step}]`
    const key = shortened(String(step), LONGEST_KEY)
    return PLAIN_KEY.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`
  })
  return shortened(`$${steps.join('')}`, LONGEST_PATH)
}

function valueAt(body: unknown, path: Path): unknown {
  let at = body
  for (const step of path) {
    if (Array.isArray(at)) at = at[Number(step)]
    else if (isRecord(at)) at = at[String(step)]
    else return undefined
  }
  return at
}
