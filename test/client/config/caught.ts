import { PayError } from '../../../src/errors.ts'

/** Returns the PayError that the work throws. */
export function caught(work: () => unknown): PayError {
  try {
    work()
  } catch (error) {
    return ours(error)
  }
  throw new Error('It did not fail')
}

export async function caughtAsync(work: Promise<unknown>): Promise<PayError> {
  try {
    await work
  } catch (error) {
    return ours(error)
  }
  throw new Error('It did not fail')
}

/** All text that an error may show, including its cause. */
export function everythingOf(error: PayError): string {
  const { cause, ...details } = error.details
  return [
    error.message,
    error.stack,
    JSON.stringify(details),
    cause instanceof Error ? cause.message : '',
  ].join('\n')
}

function ours(error: unknown): PayError {
  if (error instanceof PayError) return error
  throw error
}
