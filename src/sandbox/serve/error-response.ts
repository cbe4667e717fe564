import type { ErrorId } from '../../api/error-ids.ts'
import { PayError } from '../../errors.ts'
import { problemResponse } from '../answers/response.ts'
import type { ServiceResponse } from '../answers/response.ts'
import { Problem } from '../problem.ts'
import { systemCode } from '../../system-code.ts'

/** Errors below the level of requests; any other parser error is a `BadRequest`. */
const PROBLEMS: Readonly<Record<string, readonly [ErrorId, string]>> = {
  HPE_HEADER_OVERFLOW: ['HeadersTooLarge', 'The request line and headers are larger than 16 kB.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: ['PayloadTooLarge', 'The extensions of a chunk are larger than 16 kB.'],
  HPE_INVALID_EOF_STATE: ['BadRequest', 'The request is incomplete.'],
  HPE_PAUSED_H2_UPGRADE: ['BadRequest', 'This server speaks HTTP/1.1, not HTTP/2.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['RequestTimeout', 'The request took too long to arrive.'],
}

/** Why a request couldn't be read; undefined if the connection itself failed. */
export function problemOfParseError(error: Error): Problem | undefined {
  const code = systemCode(error) ?? ''
  const known = PROBLEMS[code]
  if (known !== undefined) return new Problem(...known)
  if (!code.startsWith('HPE_')) return undefined
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : error.message
  return new Problem('BadRequest', `This is not HTTP/1.1: ${reason}.`)
}

/** The response when the sandbox itself fails; later requests are tried again. */
export function failureResponse(error: unknown, requestId: string): ServiceResponse {
  return problemResponse(error instanceof Problem ? error : problemOfFailure(error), requestId)
}

function problemOfFailure(error: unknown): Problem {
  const message = toSentence(error instanceof Error ? error.message : String(error))
  const { hint, outcome } = error instanceof PayError ? error.details : {}
  const more = hint === undefined ? {} : { recoverySuggestion: hint }
  return outcome === 'none'
    ? new Problem('SandboxUnavailable', `${message} Nothing was applied.`, more)
    : new Problem('SandboxFailed', `${message} The request may have been applied.`, more)
}

const toSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
