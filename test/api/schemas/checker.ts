import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { JsonSchema } from '../../../src/api/schemas/conversion.ts'
import { answerSchema, querySchema, requestSchema } from '../../../src/api/schemas/operation-schemas.ts'
import type { TableOperation } from '../../../src/api/schemas/operation-schemas.ts'
import { openApiDocument } from '../../../src/api/schemas/openapi.ts'
import { OPERATIONS } from '../../../src/api/table.ts'
import { CURRENCY_CODES } from '../../../src/money/currencies.ts'

export const operations: readonly TableOperation[] = OPERATIONS
export const OPTIONS = { currencies: CURRENCY_CODES } as const

/** Returns the problems of a value; empty if it is valid. */
export type Check = (value: unknown) => readonly string[]

/** Strict: a keyword that is unknown or has no effect is an error. */
function newAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true })
  formats.default(ajv)
  return ajv
}

const ajv = newAjv()

const DOCUMENT_URI = 'urn:test:openapi'
const documentAjv = newAjv()
const document = openApiDocument(OPTIONS)
// The document itself is not a schema, but its parts are.
documentAjv.addVocabulary(Object.keys(document))
documentAjv.addSchema({ ...document, $id: DOCUMENT_URI }, undefined, undefined, false)

export const checkOf = (schema: JsonSchema): Check =>
  asCheck(ajv.getSchema(String(schema.$id)) ?? ajv.compile(schema))

/** A schema of the OpenAPI document, resolved by its JSON pointer. */
export function documentCheck(...path: readonly string[]): Check {
  const pointer = path.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')))
  const ref = `${DOCUMENT_URI}#/${pointer.join('/')}`
  return asCheck(documentAjv.getSchema(ref) ?? documentAjv.compile({ $ref: ref }))
}

const asCheck =
  (validate: ValidateFunction): Check =>
  (value) => {
    // Returns a promise only for schemas with $async.
    void validate(value)
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  }

const CONTENT = ['content', 'application/json', 'schema'] as const

/** A request's schema from `pay schema` and from the OpenAPI document. */
export const requestChecks = (operation: TableOperation): Readonly<Record<string, Check>> => ({
  'JSON Schema': checkOf(requestSchema(operation, OPTIONS) ?? { not: {} }),
  OpenAPI: documentCheck(...at(operation), 'requestBody', ...CONTENT),
})

export const answerChecks = (operation: TableOperation): Readonly<Record<string, Check>> => ({
  'JSON Schema': checkOf(answerSchema(operation, OPTIONS)),
  OpenAPI: documentCheck(...at(operation), 'responses', '200', ...CONTENT),
})

export const queryCheck = (operation: TableOperation): Check =>
  checkOf(querySchema(operation, OPTIONS) ?? { not: {} })

const at = ({ path, method }: TableOperation) => ['paths', path, method.toLowerCase()]

export interface Fixture {
  readonly name: string
  readonly operation: TableOperation
  readonly body: unknown
}

const FOLDER = join(import.meta.dirname, '../../fixtures/api')

/** Bodies from the API's documentation, not from our code. */
export function fixturesOf(kind: 'request' | 'response'): readonly Fixture[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(`.${kind}.json`))
  return names.map((name) => {
    const operation = operations.find(({ id }) => name.startsWith(`${id}.`))
    if (operation === undefined) throw new Error(`${name} belongs to no operation`)
    return { name, operation, body: JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) }
  })
}

export function operationOf(id: string): TableOperation {
  const found = operations.find((operation) => operation.id === id)
  if (found === undefined) throw new Error(`no operation ${id}`)
  return found
}
