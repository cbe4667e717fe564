import type { AttemptLog } from '../../calls/attempt.ts'

/** In characters; a header may have 16,000. */
const MAX_LENGTH = 1_000

/**
 * The warning about what the service has ignored in a request: fields and parameters that its API version doesn't know.
 * Undefined without any that an earlier warning doesn't name. `told` has the names of earlier warnings.
 */
export function warnOfIgnored({ ended }: AttemptLog, told: Set<string>): string | undefined {
  if (ended.kind === 'failure') return undefined
  const header = ended.answer.headers['x-sandbox-ignored']?.slice(0, MAX_LENGTH)
  const names = (header ?? '').split(',').map((name) => name.trim())
  const others = names.filter((name) => name !== '' && !told.has(name))
  if (others.length === 0) return undefined
  for (const name of others) told.add(name)
  return `Warning: The service doesn't know parts of the request under this API version and has ignored them: ${others.join(', ')}`
}
