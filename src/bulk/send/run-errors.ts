import { EXIT, PayError } from '../../errors.ts'
import type { ErrorBody } from '../../calls/api-error.ts'
import { refusalOf } from '../../calls/refusal.ts'
import type { TransportFailure } from '../../http/transport-port.ts'

/** The run cannot go on: the next row would meet the same. What was not answered is sent when it is run again. */
export class RunStopped extends Error {
  readonly error: PayError

  constructor(error: PayError) {
    super(error.message)
    this.name = 'RunStopped'
    this.error = error
  }
}

/** The row is left for another run: this one has been ended. */
export class RowAbandoned extends Error {
  constructor() {
    super('given up')
    this.name = 'GivenUp'
  }
}

export const notConnected = (failure: TransportFailure): PayError =>
  failure.cause instanceof PayError
    ? failure.cause
    : new PayError('not_connected', EXIT.notConnected, `The service cannot be reached: ${failure.message}`, {
        outcome: 'none',
        retryable: true,
        cause: failure,
      })

export const serviceFailing = (rows: number): PayError =>
  new PayError(
    'service_failing',
    EXIT.bulk,
    `The service is failing: the outcome of ${rows} rows in a row is unknown`,
    {
      outcome: 'unknown',
      retryable: true,
      hint: 'The same command resumes after them once the service works again.',
    },
  )

/** What is wrong with the key, the address or the version is wrong for every row. */
const FOR_ALL_STATUS: readonly number[] = [401, 403, 405, 410]
const FOR_ALL_ID: readonly string[] = ['UnsupportedApiVersion', 'VersionRetired']

/** The error when a refusal has nothing to do with the row that met it. */
export function refusedForAll(
  status: number,
  { errorId, description, diagnosticsId }: ErrorBody,
): PayError | undefined {
  const isForAll = FOR_ALL_STATUS.includes(status) || status < 400 || FOR_ALL_ID.includes(errorId ?? '')
  if (!isForAll) return undefined
  const { code, exitCode, message } = refusalOf(status, errorId, false)
  return new PayError(code, exitCode, message, {
    httpStatus: status,
    errorId,
    description,
    diagnosticsId,
    outcome: 'none',
  })
}
