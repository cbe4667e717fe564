import { PayError } from '../../errors.ts'
import { refusal } from '../answer.ts'
import type { ServiceAnswer } from '../answer.ts'
import { Problem } from '../problem.ts'

/** The answer where the sandbox itself could not work: the next request is tried again. */
export function answerFailure(error: unknown, requestId: string): ServiceAnswer {
  return refusal(error instanceof Problem ? error : problemOfFailure(error), requestId)
}

function problemOfFailure(error: unknown): Problem {
  const words = sentence(error instanceof Error ? error.message : String(error))
  const { hint, outcome } = error instanceof PayError ? error.details : {}
  const more = hint === undefined ? {} : { recoverySuggestion: hint }
  return outcome === 'none'
    ? new Problem('SandboxUnavailable', `${words} Nothing was applied.`, more)
    : new Problem('SandboxFailed', `${words} Whether the request was applied is not known.`, more)
}

const sentence = (words: string): string => (/[.!?]$/.test(words) ? words : `${words}.`)
