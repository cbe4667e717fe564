import { isPlainlyValid } from '../api/plain-shape.ts'
import type { ValidationProblem } from '../errors.ts'
import type { CallOperation } from '../http/call.ts'
import { CURRENCY_CODES } from '../money/currencies.ts'
import { checkBySchema } from './validate.ts'

export interface BodyProblem extends ValidationProblem {
  /** A required field is not there. */
  readonly isMissing?: boolean
}

export interface Checked {
  readonly problems: readonly BodyProblem[]
  /** How many problems there are beyond those. */
  readonly more?: number
  readonly warnings: readonly string[]
}

const FAULTLESS: Checked = { problems: [], warnings: [] }

/** All that is wrong with a body by the rules of a version, at once, before anything is sent. */
export function checkBody(operation: CallOperation, body: unknown, apiVersion = '2.1'): Checked {
  const { request } = operation
  if (request === undefined && body === undefined) return FAULTLESS
  return request !== undefined && isPlainlyValid(request, body, CURRENCY_CODES)
    ? FAULTLESS
    : checkBySchema(operation, body, apiVersion)
}
