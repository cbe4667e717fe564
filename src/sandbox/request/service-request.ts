import type { Problem } from '../problem.ts'

/** A request as it arrives; header names are lower case. */
export interface ServiceRequest {
  readonly method: string
  /** Absolute, or a path. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Why the body is missing. Reported after the checks that come before the body. */
  readonly unreadable?: Problem
}
