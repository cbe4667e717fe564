import type { Conversion, JsonSchema, Side } from './conversion.ts'

export interface HoistedSchema {
  readonly root: JsonSchema
  /** By name. */
  readonly models: Readonly<Record<string, JsonSchema>>
}

/** A shape is another one on each side; in a list nothing is cleared, so an update holds the lines of any request. */
const SUFFIX: Readonly<Record<Side, string>> = { request: 'Input', update: 'Update', answer: '' }

/** Takes every shape with a name out of a schema and refers to it instead; where null clears a field, says so. */
export function hoistModels(inline: JsonSchema, { side, refBase }: Conversion): HoistedSchema {
  const models: Record<string, JsonSchema> = {}
  return { root: hoistWithin(inline, side), models }

  function toReference(node: JsonSchema | boolean, within: Side): JsonSchema {
    if (typeof node === 'boolean') return node ? {} : { not: {} }
    const { 'x-model': model } = node
    if (typeof model !== 'string') return hoistWithin(node, within)
    const name = node.type === 'object' ? `${model}${SUFFIX[within]}` : model
    models[name] ??= hoistWithin(node, within)
    return { $ref: `${refBase}${name}` }
  }

  /** The node without its mark, its parts in their places. */
  function hoistWithin({ 'x-model': _, ...node }: JsonSchema, within: Side): JsonSchema {
    const { properties, items, additionalProperties: rest, required = [] } = node
    const settled: JsonSchema = { ...node }
    if (properties !== undefined)
      settled.properties = Object.fromEntries(
        Object.entries(properties).map(([field, part]) => {
          const placed = addAmountDescription(field, toReference(part, within))
          return [field, within === 'update' && !required.includes(field) ? orNull(placed) : placed]
        }),
      )
    if (items !== undefined && !Array.isArray(items))
      settled.items = toReference(items, within === 'update' ? 'request' : within)
    if (typeof rest === 'object') {
      const placed = toReference(rest, within)
      settled.additionalProperties = within === 'update' ? orNull(placed) : placed
    }
    return settled
  }
}

function orNull(node: JsonSchema): JsonSchema {
  const { type } = node
  if (type === undefined || node.enum !== undefined) return { anyOf: [node, { type: 'null' }] }
  return { ...node, type: Array.isArray(type) ? [...type, 'null'] : [type, 'null'] }
}

/** Every amount of the service is in minor units (spec 2, conventions). */
function addAmountDescription(field: string, node: JsonSchema): JsonSchema {
  if (node.type !== 'integer' || !/amount/i.test(field)) return node
  return { description: 'In minor units: 700 is 7.00 EUR', ...node }
}
