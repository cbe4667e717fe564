import type { Operation } from '../operation.ts'
import type { z } from '../schema.ts'
import type { OperationId } from '../facts.ts'
import type { JsonSchema, Side } from './conversion.ts'
import { toJsonSchema } from './json-schema.ts'
import { queryModelName, requestModelName } from '../model-names.ts'
import { modelName } from './named-models.ts'

/** A row of the operation table, with its exact id. */
export type TableOperation = Operation & { readonly id: OperationId }

export interface SchemaOptions {
  /** ISO 4217 codes, which belong to `money`. */
  readonly currencies?: readonly string[] | undefined
}

export const sideOf = ({ nullClears }: Operation): Side => (nullClears === true ? 'update' : 'request')

/** JSON Schema of the request body; undefined if the operation has none. */
export function requestSchema(operation: TableOperation, options: SchemaOptions): JsonSchema | undefined {
  if (operation.request === undefined) return undefined
  return standaloneSchema(operation.request(), {
    ...options,
    side: sideOf(operation),
    id: `${operation.id}:request`,
    title: requestModelName(operation.id),
    description: `${operation.summary}. ${describeRequest(operation)}`.trimEnd(),
  })
}

/** JSON Schema of the response. */
export function answerSchema(operation: TableOperation, options: SchemaOptions): JsonSchema {
  const schema = operation.response()
  return standaloneSchema(schema, {
    ...options,
    side: 'answer',
    id: `${operation.id}:response`,
    title: modelName(schema) ?? operation.id,
    description: `${operation.summary}: the response. It may contain additional fields, and any field may be absent.`,
  })
}

/** JSON Schema of the query parameters as one object; undefined if there are none. Arrays are comma-separated. */
export function querySchema(operation: TableOperation, options: SchemaOptions): JsonSchema | undefined {
  if (operation.query === undefined) return undefined
  return standaloneSchema(operation.query(), {
    ...options,
    side: 'request',
    id: `${operation.id}:query`,
    title: queryModelName(operation.id),
    description: `${operation.summary}: the query parameters. Arrays are comma-separated.`,
  })
}

/** The rules of a request as text. */
export function describeRequest(operation: TableOperation): string {
  return [
    ...(operation.bodyOptional === true ? ['The body is optional.'] : []),
    ...(operation.nullClears === true ? ['null clears a field.'] : []),
    ...operation.notes,
  ].join(' ')
}

interface StandaloneOptions extends SchemaOptions {
  readonly side: Side
  readonly id: string
  readonly title: string
  readonly description: string
}

/** A complete schema with its models in `$defs`. */
function standaloneSchema(
  schema: z.core.$ZodType,
  { id, title, description, ...options }: StandaloneOptions,
): JsonSchema {
  const { root, models } = toJsonSchema(schema, { ...options, refBase: '#/$defs/' })
  const { $schema, ...rest } = root
  return {
    $schema,
    $id: `urn:payctl:${id}`,
    title,
    description,
    ...rest,
    ...(Object.keys(models).length === 0 ? {} : { $defs: sorted(models) }),
  }
}

export const sorted = <T>(record: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
  Object.fromEntries(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)))
