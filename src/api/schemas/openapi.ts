import { errorEnvelope } from '../models/error-envelope.ts'
import { ERROR_STATUS } from '../error-ids.ts'
import { SANDBOX_PORT } from '../sandbox-port.ts'
import { OPERATIONS, RETIRED_ROUTES } from '../table.ts'
import { API_VERSIONS } from '../versions.ts'
import { createComponents } from './components.ts'
import { ERROR_REF, json, openApiOperation, tagOf } from './openapi-operation.ts'
import { sorted } from './operation-schemas.ts'
import type { SchemaOptions, TableOperation } from './operation-schemas.ts'

const [EARLIEST] = API_VERSIONS
const LATEST = API_VERSIONS[API_VERSIONS.length - 1] ?? EARLIEST

export interface OpenApiOptions extends SchemaOptions {
  /** What a resource is called in words, by the first part of an operation's id. */
  readonly describeTag?: (tag: string) => string | undefined
}

/** The service as OpenAPI 3.1: every operation of the table. */
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
          description: `The scopes that a key can have: ${scopesOf(operations).join(', ')}.`,
        },
      },
    },
  }
}

const DESCRIPTION = [
  'Amounts are integers in minor units: 700 is 7.00 EUR. Dates are UTC.',
  'Requests are taken as strictly as the schemas say. Answers may hold more than the schemas name, and any field may be absent.',
  'x-replay says whether a call may be sent again when its outcome is unknown, x-risk what it does to money or data.',
  ...RETIRED_ROUTES.map(
    ({ method, path, replacedBy }) =>
      `${method} ${path} is retired: it is answered with ${ERROR_STATUS.VersionRetired} VersionRetired. ${replacedBy} has taken its place.`,
  ),
].join('\n\n')

const SERVERS = [
  {
    url: 'http://127.0.0.1:{port}',
    description: 'The sandbox of this machine, as pay sandbox start serves it',
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
    description: `Without it the earliest version is meant, ${EARLIEST}. These schemas are those of ${LATEST}.`,
    schema: { type: 'string', enum: API_VERSIONS, default: EARLIEST },
  },
  IdempotencyKey: {
    name: 'X-Idempotency-Key',
    in: 'header',
    required: false,
    description: 'A key that no other call has: the call is then processed once, however often it is sent.',
    schema: { type: 'string', minLength: 1 },
  },
} as const

function describeErrors(): string {
  const statuses = [...new Set(Object.values(ERROR_STATUS))].toSorted((one, other) => one - other)
  return [
    'Refused. The error ids by status; there may be others:',
    '',
    ...statuses.map((status) => `- ${status}: ${idsOf(status).join(', ')}`),
  ].join('\n')
}

const idsOf = (status: number): readonly string[] =>
  Object.entries(ERROR_STATUS).flatMap(([id, its]) => (its === status ? [id] : []))

const scopesOf = (operations: readonly TableOperation[]): readonly string[] =>
  [...new Set(operations.map(({ scope }) => scope))].toSorted()
