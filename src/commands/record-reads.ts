import { EXIT, PayError } from '../errors.ts'

/** Explains the 404 of a service that can't read records: the path is missing, not the record. Returns other errors unchanged. */
export function explainUnsupportedRead(error: unknown): unknown {
  if (!cannotReadRecords(error)) return error
  const { hint: _hint, next: _next, ...details } = error.details
  return new PayError('unsupported_by_service', EXIT.notFound, "This service can't read records", {
    ...details,
    hint: "Use the service's dashboard, or pay payment list for payments made through it. The sandbox can read records.",
    cause: error,
  })
}

/** Whether a read failed because the service has no such path. */
export function cannotReadRecords(error: unknown): error is PayError {
  if (!(error instanceof PayError) || error.details.errorId === 'EntityNotFound') return false
  const { httpStatus } = error.details
  return httpStatus === 404 || httpStatus === 405 || httpStatus === 501
}
