import { UsageError } from '../../errors.ts'
import { Problem } from '../problem.ts'

/** How refusals of a control appear over HTTP. Every other error is a failure of the sandbox. */
const REFUSALS: Readonly<Record<string, (error: UsageError) => Problem>> = {
  unknown_card: (error) => wrongField('$.card', error),
  unknown_method: (error) => wrongField('$.method', error),
  unknown_saved_method: (error) =>
    new Problem('InvalidPaymentInstrumentToken', `${error.message}.`, suggestionOf(error)),
  bad_clock: (error) => wrongField('$.duration', error),
  too_many_faults: (error) => wrongField('$', error),
  unknown_client_token: (error) =>
    new Problem('ClientSessionValidationError', `${error.message}.`, suggestionOf(error)),
  expired_client_token: (error) =>
    new Problem('ClientSessionValidationError', `${error.message}.`, suggestionOf(error)),
  challenge_over: (error) => new Problem('InvalidPaymentStatus', `${error.message}.`),
}

/** @throws any error that isn't a refusal */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  const refuse = error instanceof UsageError ? REFUSALS[error.code] : undefined
  if (!(error instanceof UsageError) || refuse === undefined) throw error
  return refuse(error)
}

const wrongField = (path: string, error: UsageError) =>
  new Problem('RequestValidationError', `${error.message}.`, {
    ...suggestionOf(error),
    validationErrors: [{ path, description: error.message }],
  })

const suggestionOf = ({ details }: UsageError) =>
  details.hint === undefined ? {} : { recoverySuggestion: details.hint }
