import { isRecord } from '../../json/is-record.ts'
import { METADATA } from './field-schema.ts'

/** The property names that lead to a field. A metadata key may contain dots. */
export const segmentsOf = (path: string): readonly string[] =>
  path.startsWith(METADATA) ? ['metadata', path.slice(METADATA.length)] : path.split('.')

/** Sets a value and creates the objects on the way. Leaves any other value on the way as it is, for validation to report. */
export function setValueAt(body: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const last = path.length - 1
  let inner = body
  for (let depth = 0; depth < last; depth += 1) {
    const name = path[depth] ?? ''
    const next: unknown = Object.hasOwn(inner, name) ? inner[name] : (inner[name] = {})
    if (!isRecord(next)) return
    inner = next
  }
  const name = path[last] ?? ''
  // A metadata key may have any name; assigning this one would replace the prototype.
  if (name === '__proto__')
    Object.defineProperty(inner, name, { value, enumerable: true, configurable: true, writable: true })
  else inner[name] = value
}
