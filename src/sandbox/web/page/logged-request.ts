/** A request as `GET /sandbox/requests` and the live events show it. */
export interface LoggedRequest {
  readonly at: string
  readonly requestId: string
  readonly method: string
  readonly path: string
  readonly operation?: string
  readonly payment?: string
  readonly key?: string
  readonly idempotencyKey?: string
  readonly status?: number
  readonly errorId?: string
  readonly fault?: string
  readonly applied: boolean
  readonly durationMs?: number
  readonly ignored?: readonly string[]
}
