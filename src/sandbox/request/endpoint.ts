import type { Operation } from '../../api/operation.ts'
import type { Schema } from '../../api/schema.ts'
import { acceptBody, acceptQuery, refuseBody, refuseQuery } from './validation.ts'
import type { ApiVersion } from './versions.ts'
import type { SandboxContext } from '../domain/context.ts'

export type Params = Readonly<Record<string, string>>

export interface RawInput {
  readonly params: Params
  readonly query: Readonly<Record<string, string>>
  /** The parsed JSON; undefined if there was none. */
  readonly body: unknown
  readonly version: ApiVersion
}

/** An operation's handler. `accept` refuses an invalid request before the store is used. */
export interface Endpoint {
  accept(raw: RawInput): (context: SandboxContext) => unknown
}

interface BodyInput<Body> {
  readonly params: Params
  readonly body: Body
  /** The top-level fields that were null. */
  readonly cleared: ReadonlySet<string>
  /** The version; some rules apply only from 2.1 on (spec 9.5). */
  readonly version: ApiVersion
}

type OperationFor<Answer> = Omit<Operation, 'response'> & { readonly response: Schema<Answer> }

export function withBody<Body, Answer>(
  operation: OperationFor<Answer> & { readonly request: Schema<Body> },
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
  operation: OperationFor<Answer> & { readonly query: Schema<Query> },
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

/** The endpoint of an operation with path parameters only. */
export function plain<Answer>(
  _operation: OperationFor<Answer>,
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
