import type { ErrorBody } from '../../client/calls/api-error.ts'
import { refusalOf } from '../../client/calls/refusal.ts'
import { EXIT, messageOf, PayError, UsageError } from '../../errors.ts'
import type { TransportFailure } from '../../client/http/transport-port.ts'

/** The error that stops a run, because every other row would fail in the same way. The next run sends the rows that are left. */
export class RunStopped extends Error {
  readonly error: PayError

  constructor(error: PayError) {
    super(error.message)
    this.name = 'RunStopped'
    this.error = error
  }
}

/** The error for a row without an outcome, because the run was stopped. Another run sends it. */
export class RowAbandoned extends Error {
  constructor() {
    super('abandoned')
    this.name = 'RowAbandoned'
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
    `The service is failing: the outcome of ${rows} consecutive rows is unknown`,
    {
      outcome: 'unknown',
      retryable: true,
      hint: 'Run the same command once the service works again. It resumes after these rows.',
    },
  )

/** The statuses of a wrong key, address or API version, which is wrong for every row. */
const STATUS_FOR_ALL: readonly number[] = [401, 403, 405, 410]
const ERROR_ID_FOR_ALL: readonly string[] = ['UnsupportedApiVersion', 'VersionRetired']

/** Whether a refusal applies to every row. */
export const isForEveryRow = (status: number, errorId: string | undefined): boolean =>
  STATUS_FOR_ALL.includes(status) || status < 400 || ERROR_ID_FOR_ALL.includes(errorId ?? '')

/** The error for a refusal that applies to every row; undefined if it is about one row. */
export function refusedForAll(
  status: number,
  { errorId, description, diagnosticsId }: ErrorBody,
): PayError | undefined {
  if (!isForEveryRow(status, errorId)) return undefined
  const { code, exitCode, message } = refusalOf(status, errorId, false)
  return new PayError(code, exitCode, message, {
    httpStatus: status,
    errorId,
    description,
    diagnosticsId,
    outcome: 'none',
  })
}

const TOO_MANY_FILES = 'Too many files are open. Use --concurrency 16, or allow more with ulimit -n.'

/** The error that ends a run, made of what was thrown. */
export function asPayError(error: unknown): PayError {
  if (error instanceof RunStopped) return error.error
  if (error instanceof PayError) return error
  const message = messageOf(error)
  return error instanceof Error && 'code' in error
    ? new UsageError(`The state of this run cannot be saved: ${message}`, {
        code: 'unwritable_file',
        cause: error,
        ...(error.code === 'EMFILE' ? { hint: TOO_MANY_FILES } : {}),
      })
    : new PayError('internal', EXIT.internal, `Unexpected error: ${message}`, { cause: error })
}
