import { errorEnvelope } from '../models/error-envelope.ts'
import { ERROR_STATUS } from '../error-ids.ts'
import { SANDBOX_PORT } from '../sandbox-port.ts'
import { OPERATIONS, RETIRED_ROUTES } from '../table.ts'
import { API_VERSIONS, LATER_VERSIONS } from '../versions.ts'
import { sorted, describeRequest, sideOf } from './operation-schemas.ts'
import type { SchemaOptions, TableOperation } from './operation-schemas.ts'
import type { Replay } from '../operation.ts'
import { requestModelName } from '../model-names.ts'
import { modelName } from './named-models.ts'
import type { z } from '../schema.ts'
import type { JsonSchema, Side } from './conversion.ts'
import { toJsonSchema } from './json-schema.ts'

const [EARLIEST] = API_VERSIONS
const LATEST = API_VERSIONS[API_VERSIONS.length - 1] ?? EARLIEST

interface OpenApiOptions extends SchemaOptions {
  /** Description of a resource, by the first part of an operation's id. */
  readonly describeTag?: (tag: string) => string | undefined
}

/** The service as an OpenAPI 3.1 document. */
export function openApiDocument(options: OpenApiOptions): Readonly<Record<string, unknown>> {
  const operations: readonly TableOperation[] = OPERATIONS
  const components = createComponents(options)
  components.refTo('Error', errorEnvelope(), 'answer')
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    const methods = (paths[operation.path] ??= {})
    methods[operation.method.toLowerCase()] = openApiOperation(operation, components)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Payment orchestration API', version: LATEST, description: DESCRIPTION },
    servers: SERVERS,
    tags: [...new Set(operations.map(tagOf))].map((name) => ({
      name,
      description: options.describeTag?.(name),
    })),
    paths,
    components: {
      schemas: sorted(components.schemas),
      parameters: PARAMETERS,
      responses: { Error: { description: describeErrors(), content: json(ERROR_REF) } },
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-KEY',
          description: `Scopes of a key: ${scopesOf(operations).join(', ')}.`,
        },
      },
    },
  }
}

const DESCRIPTION = [
  'Amounts are integers in minor units: 700 is 7.00 EUR. Dates are UTC.',
  'Requests must match the schemas exactly. Responses may contain additional fields, and any field may be absent.',
  'x-replay says whether a call may be repeated if its outcome is unknown; x-risk says what it does to money or data.',
  ...RETIRED_ROUTES.map(
    ({ method, path, replacedBy }) =>
      `${method} ${path} is retired and returns ${ERROR_STATUS.VersionRetired} VersionRetired. Use ${replacedBy} instead.`,
  ),
].join('\n\n')

const SERVERS = [
  {
    url: 'http://127.0.0.1:{port}',
    description: 'The local sandbox that pay sandbox start runs',
    variables: { port: { default: String(SANDBOX_PORT) } },
  },
  {
    url: '{base_url}',
    description: 'Any other service',
    variables: { base_url: { default: 'https://api.example.com' } },
  },
] as const

const PARAMETERS = {
  ApiVersion: {
    name: 'X-Api-Version',
    in: 'header',
    required: false,
    description: `Defaults to the earliest version, ${EARLIEST}. These schemas describe ${LATEST}; the sandbox serves later versions, and dates after ${EARLIEST}, as ${LATEST}.`,
    schema: { type: 'string', enum: [...API_VERSIONS, ...LATER_VERSIONS], default: EARLIEST },
  },
  IdempotencyKey: {
    name: 'X-Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A unique key: the service processes the call only once, however often it is sent.',
    schema: { type: 'string', minLength: 1 },
  },
} as const

function describeErrors(): string {
  const statuses = [...new Set(Object.values(ERROR_STATUS))].toSorted((one, other) => one - other)
  return [
    'Error. Known error ids by status:',
    '',
    ...statuses.map((status) => `- ${status}: ${idsOf(status).join(', ')}`),
  ].join('\n')
}

const idsOf = (status: number): readonly string[] =>
  Object.entries(ERROR_STATUS).flatMap(([id, its]) => (its === status ? [id] : []))

const scopesOf = (operations: readonly TableOperation[]): readonly string[] =>
  [...new Set(operations.map(({ scope }) => scope))].toSorted()

type Part = Readonly<Record<string, unknown>>

/** One row of the operation table as an OpenAPI operation. */
function openApiOperation(operation: TableOperation, components: Components): Part {
  const { id, summary, scope, beta, replay, risk, notFinished } = operation
  return {
    operationId: id,
    tags: [tagOf(operation)],
    summary: beta ? `${summary} (beta)` : summary,
    description: [
      describeRequest(operation),
      `Requires the scope ${scope}.`,
      `If the outcome is unknown: ${REPLAY_RULES[replay]}.`,
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
      200: { description: 'Success', content: json(answerRef(operation, components)) },
      ...(notFinished === undefined
        ? {}
        : {
            [ERROR_STATUS[notFinished]]: {
              description: `Accepted but not finished: ${notFinished}`,
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

const tagOf = ({ id }: TableOperation): string => id.split('.')[0] ?? id

const json = (schema: Part): Part => ({ 'application/json': { schema } })

const ERROR_REF = { $ref: '#/components/schemas/Error' } as const

const REPLAY_RULES: Readonly<Record<Replay, string>> = {
  safe: 'repeat the call',
  keyed: 'repeat the call only with the same X-Idempotency-Key and body',
  compare: 'read the payment first, and repeat the call only if nothing has changed',
  look: 'read the payment, and do not repeat the call',
  never: 'do not repeat the call; its result cannot be read',
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

const REF_BASE = '#/components/schemas/'

/** The component schemas of an OpenAPI document, one per name. */
interface Components {
  readonly schemas: Record<string, JsonSchema>
  /** Stores a schema under a name and returns a reference to it. */
  readonly refTo: (name: string, schema: z.core.$ZodType, side: Side, description?: string) => JsonSchema
  /** Returns the schema itself; models that it refers to are stored. */
  readonly inline: (schema: z.core.$ZodType, side: Side) => JsonSchema
}

function createComponents({ currencies }: SchemaOptions): Components {
  const schemas: Record<string, JsonSchema> = {}
  const inline = (schema: z.core.$ZodType, side: Side): JsonSchema => {
    const { root, models } = toJsonSchema(schema, { side, currencies, refBase: REF_BASE })
    Object.assign(schemas, models)
    const { $schema: _, ...rest } = root
    return rest
  }
  return {
    schemas,
    inline,
    refTo: (name, schema, side, description) => {
      const shape = inline(schema, side)
      schemas[name] ??= description === undefined ? shape : { description, ...shape }
      return { $ref: `${REF_BASE}${name}` }
    },
  }
}
