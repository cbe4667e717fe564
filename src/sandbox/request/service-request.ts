import type { Problem } from '../problem.ts'

/** A request as it arrives; header names are lower case. */
export interface ServiceRequest {
  readonly method: string
  /** The URL, absolute or a path. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** The reason why the body is missing. Reported after the checks that come before the body. */
  readonly unreadable?: Problem
}
