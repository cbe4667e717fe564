import type { Operation } from '../../api/operation.ts'
import type { Schema } from '../../api/schema.ts'
import { acceptBody, acceptQuery, refuseBody, refuseQuery } from './validation.ts'
import type { ApiVersion } from './versions.ts'
import type { SandboxContext } from '../domain/store/context.ts'

export type Params = Readonly<Record<string, string>>

export interface RawInput {
  readonly params: Params
  readonly query: Readonly<Record<string, string>>
  /** Parsed JSON; undefined where there was none. */
  readonly body: unknown
  readonly version: ApiVersion
}

/** An operation with what it does. `accept` refuses a bad request before the store is touched. */
export interface Endpoint {
  accept(raw: RawInput): (context: SandboxContext) => unknown
}

export interface BodyInput<Body> {
  readonly params: Params
  readonly body: Body
  /** Top-level fields that came as null. */
  readonly cleared: ReadonlySet<string>
  /** Some rules came with 2.1 (spec 9.5). */
  readonly version: ApiVersion
}

type Answering<Answer> = Omit<Operation, 'response'> & { readonly response: Schema<Answer> }

export function withBody<Body, Answer>(
  operation: Answering<Answer> & { readonly request: Schema<Body> },
  run: (input: BodyInput<Body>, context: SandboxContext) => Answer,
): Endpoint {
  return {
    accept: (raw) => {
      refuseQuery(raw.query)
      const { params, version } = raw
      const accepted = acceptBody(operation, raw.body, version)
      return (context) => run({ params, version, ...accepted }, context)
    },
  }
}

export function withQuery<Query, Answer>(
  operation: Answering<Answer> & { readonly query: Schema<Query> },
  run: (query: Query, context: SandboxContext) => Answer,
): Endpoint {
  return {
    accept: (raw) => {
      const query = acceptQuery(operation.query, raw.query)
      refuseBody(raw.body)
      return (context) => run(query, context)
    },
  }
}

/** Path parameters alone. */
export function plain<Answer>(
  _operation: Answering<Answer>,
  run: (params: Params, context: SandboxContext) => Answer,
): Endpoint {
  return {
    accept: (raw) => {
      refuseQuery(raw.query)
      refuseBody(raw.body)
      return (context) => run(raw.params, context)
    },
  }
}
