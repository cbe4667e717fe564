import type { Operation } from '../operation.ts'
import type { z } from '../schema.ts'
import type { OperationId } from '../table.ts'
import type { JsonSchema, Side } from './conversion.ts'
import { toJsonSchema } from './json-schema.ts'
import { queryModelName, requestModelName } from '../model-names.ts'
import { modelName } from './named-models.ts'
import { notesFor } from './request-notes.ts'

/** A row of the table, by the id that it has there. */
export type TableOperation = Operation & { readonly id: OperationId }

export interface SchemaOptions {
  /** ISO 4217 codes, which belong to `money`. */
  readonly currencies?: readonly string[] | undefined
}

export const sideOf = ({ nullClears }: Operation): Side => (nullClears === true ? 'update' : 'request')

/** The body of a request; undefined where the operation takes none. */
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

export function answerSchema(operation: TableOperation, options: SchemaOptions): JsonSchema {
  const schema = operation.response()
  return standaloneSchema(schema, {
    ...options,
    side: 'answer',
    id: `${operation.id}:response`,
    title: modelName(schema) ?? operation.id,
    description: `${operation.summary}: the answer. It may hold more than is named here, and any field may be absent.`,
  })
}

/** The query parameters as one object: a list is an array, written with commas. Undefined where there are none. */
export function querySchema(operation: TableOperation, options: SchemaOptions): JsonSchema | undefined {
  if (operation.query === undefined) return undefined
  return standaloneSchema(operation.query(), {
    ...options,
    side: 'request',
    id: `${operation.id}:query`,
    title: queryModelName(operation.id),
    description: `${operation.summary}: its query parameters. An array is written with commas.`,
  })
}

/** What a request has to keep, in words. */
export function describeRequest(operation: TableOperation): string {
  return [
    ...(operation.bodyOptional === true ? ['The whole body may be left out.'] : []),
    ...(operation.nullClears === true ? ['null clears a field.'] : []),
    ...notesFor(operation.id),
  ].join(' ')
}

interface StandaloneOptions extends SchemaOptions {
  readonly side: Side
  readonly id: string
  readonly title: string
  readonly description: string
}

/** With everything that it refers to in `$defs`. */
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
