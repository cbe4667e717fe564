import { ERROR_STATUS } from '../error-ids.ts'
import type { Replay } from '../operation.ts'
import type { Components } from './components.ts'
import { requestModelName } from '../model-names.ts'
import { modelName } from './named-models.ts'
import { describeRequest, sideOf } from './operation-schemas.ts'
import type { TableOperation } from './operation-schemas.ts'

type Part = Readonly<Record<string, unknown>>

/** One row of the table as an operation of OpenAPI. */
export function openApiOperation(operation: TableOperation, components: Components): Part {
  const { id, summary, scope, beta, replay, risk, notFinished } = operation
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary: beta ? `${summary} (beta)` : summary,
    description: [
      describeRequest(operation),
      `Needs the scope ${scope}.`,
      `When its outcome is unknown: ${REPLAY_RULES[replay]}.`,
    ]
      .filter((words) => words !== '')
      .join('\n\n'),
    parameters: [
      ...pathParameters(operation),
      ...queryParameters(operation, components),
      ...headers(operation),
    ],
    ...requestBody(operation, components),
    responses: {
      200: { description: 'Done', content: json(answerRef(operation, components)) },
      ...(notFinished === undefined
        ? {}
        : {
            [ERROR_STATUS[notFinished]]: {
              description: `Accepted and not finished yet: ${notFinished}`,
              content: json(ERROR_REF),
            },
          }),
      default: { $ref: '#/components/responses/Error' },
    },
    security: [{ apiKey: [scope] }],
    'x-replay': replay,
    'x-risk': risk,
    ...(beta ? { 'x-beta': true } : {}),
  }
}

export const tagOf = ({ id }: TableOperation): string => id.split('.')[0] ?? id

export const json = (schema: Part): Part => ({ 'application/json': { schema } })

export const ERROR_REF = { $ref: '#/components/schemas/Error' } as const

/** For whoever sends a call again. */
const REPLAY_RULES: Readonly<Record<Replay, string>> = {
  safe: 'it can be repeated',
  keyed: 'it can be repeated with the same X-Idempotency-Key and body only',
  compare: 'read first, and repeat it only if the payment is as it was before',
  look: 'read first, and never repeat it blindly',
  never: 'it cannot be read back and must not be repeated',
}

const pathParameters = ({ path }: TableOperation): readonly Part[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', minLength: 1 },
  }))

function queryParameters({ query }: TableOperation, { inline }: Components): readonly Part[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = inline(query(), 'request')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    ...(isList(schema) ? { style: 'form', explode: false } : {}),
    schema,
  }))
}

const isList = (schema: unknown): boolean =>
  typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'array'

const headers = ({ idempotencyKey }: TableOperation): readonly Part[] => [
  { $ref: '#/components/parameters/ApiVersion' },
  ...(idempotencyKey ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
]

function requestBody(operation: TableOperation, { refTo }: Components): Part {
  const { id, request, bodyOptional } = operation
  if (request === undefined) return {}
  const schema = refTo(requestModelName(id), request(), sideOf(operation), operation.summary)
  return { requestBody: { required: bodyOptional !== true, content: json(schema) } }
}

function answerRef({ id, response }: TableOperation, { refTo }: Components): Part {
  const schema = response()
  return refTo(modelName(schema) ?? `${id}.response`, schema, 'answer')
}
