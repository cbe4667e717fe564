import type { TableOperation } from './operation-schemas.ts'
import { requestSchema } from './operation-schemas.ts'
import { fieldOf } from '../../json/fields.ts'

/** Required fields of a request as dotted paths. Fields of optional objects are not included. */
export function requiredFields(operation: TableOperation): ReadonlySet<string> {
  const schema = requestSchema(operation, {})
  const found = new Set<string>()
  if (schema !== undefined) collect(schema, schema, '', found)
  return found
}

function collect(node: unknown, root: unknown, prefix: string, found: Set<string>): void {
  const object = resolve(node, root)
  const properties = fieldOf(object, 'properties')
  const required = fieldOf(object, 'required')
  for (const name of Array.isArray(required) ? required : []) {
    const path = `${prefix}${String(name)}`
    found.add(path)
    collect(fieldOf(properties, String(name)), root, `${path}.`, found)
  }
}

/** Follows a `$ref` within the document. */
function resolve(node: unknown, root: unknown): unknown {
  const reference = fieldOf(node, '$ref')
  if (typeof reference !== 'string') return node
  return reference
    .replace(/^#\//, '')
    .split('/')
    .reduce<unknown>((found, part) => fieldOf(found, part), root)
}
