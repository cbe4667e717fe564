import { errorEnvelope } from '../models/error-envelope.ts'
import { ERROR_STATUS } from '../error-ids.ts'
import { SANDBOX_PORT } from '../sandbox-port.ts'
import { OPERATIONS, RETIRED_ROUTES } from '../table.ts'
import { API_VERSIONS, LATER_VERSIONS } from '../versions.ts'
import { createComponents } from './components.ts'
import { ERROR_REF, json, openApiOperation, tagOf } from './openapi-operation.ts'
import { sorted } from './operation-schemas.ts'
import type { SchemaOptions, TableOperation } from './operation-schemas.ts'

const [EARLIEST] = API_VERSIONS
const LATEST = API_VERSIONS[API_VERSIONS.length - 1] ?? EARLIEST

export interface OpenApiOptions extends SchemaOptions {
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
