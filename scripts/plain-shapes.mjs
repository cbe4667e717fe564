import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'

const IN_API = /[\\/]src[\\/]api[\\/][\w-]+\.ts$/

/**
 * Works the plain shapes of the operations' schemas out (src/api/plain-shape.ts) and writes them below the schemas in
 * the bundle. Without this the program does the same: it asks zod. `PAY_BUILD_WHOLE=1` leaves it out.
 */
export function plainShapes(root) {
  let shapes
  return {
    name: 'plain-shapes',
    async buildStart() {
      shapes = process.env['PAY_BUILD_WHOLE'] === '1' ? new Map() : await shapesOf(join(root, 'src/api'))
    },
    transform: {
      filter: { id: IN_API },
      handler(code, id) {
        const own = [...(shapes.get(basename(id, '.ts')) ?? [])]
        if (own.length === 0) return undefined
        const lines = own.map(([name, shape]) => `keepShape(${name}, ${quoted(JSON.stringify(shape))})`)
        return `${code}\nimport { keepShape } from './plain-shape.ts'\n${lines.join('\n')}\n`
      },
    },
  }
}

/** As a text, which V8 skips faster than an object that it has to understand. */
const quoted = (json) => `'${json.replaceAll(/['\\]/g, '\\$&')}'`

/** By module, then by the name under which the module exports the schema. */
export async function shapesOf(folder) {
  const api = await load(folder)
  const used = new Set(
    api
      .get('table')
      .OPERATIONS.flatMap(({ request, response }) => [request, response])
      .filter(Boolean),
  )
  const { setRegistry } = api.get('schema')
  const { fieldsOfRules } = api.get('rules')
  const shapes = new Map()
  for (const [module, exported] of api) {
    const own = new Map()
    for (const [name, schema] of Object.entries(exported)) {
      if (!used.has(schema)) continue
      const shape = shapeOf(schema(), setRegistry, fieldsOfRules)
      if (shape !== 'no') own.set(name, shape)
    }
    shapes.set(module, own)
  }
  return shapes
}

/** `no` for what a plain shape cannot say. */
function shapeOf(schema, setRegistry, fieldsOfRules) {
  const shape = (inner) => shapeOf(inner, setRegistry, fieldsOfRules)
  const { def } = schema._zod
  const checks = def.checks ?? []
  switch (def.type) {
    case 'lazy':
      return shape(def.getter())
    case 'optional':
      return shape(def.innerType)
    case 'unknown':
      return 'any'
    case 'boolean':
      return checks.length === 0 ? 'flag' : 'no'
    case 'string': {
      if (checks.length > 0 || def.format !== undefined) return 'no'
      const set = setRegistry.get(schema)?.set
      return set === undefined ? 'text' : { set }
    }
    case 'number': {
      if (def.format !== 'safeint') return 'no'
      const [minimum, ...more] = checks.map((check) => check._zod.def)
      if (minimum === undefined) return { whole: null }
      return minimum.check === 'greater_than' && minimum.inclusive && more.length === 0
        ? { whole: minimum.value }
        : 'no'
    }
    case 'array': {
      const list = checks.length === 0 ? shape(def.element) : 'no'
      return list === 'no' ? 'no' : { list }
    }
    case 'record':
      return def.keyType._zod.def.type === 'string' &&
        setRegistry.get(def.keyType) === undefined &&
        shape(def.valueType) === 'any'
        ? { map: 'any' }
        : 'no'
    case 'object': {
      // A rule about one field is not broken where that field is not there.
      const ruled = fieldsOfRules(schema)
      if (ruled === undefined || def.catchall?._zod.def.type !== 'unknown') return 'no'
      const all = Object.entries(def.shape)
      return {
        fields: Object.fromEntries(
          all.map(([name, field]) => [name, ruled.includes(name) ? 'no' : shape(field)]),
        ),
        required: all.filter(([, field]) => field._zod.def.type !== 'optional').map(([name]) => name),
      }
    }
    default:
      return 'no'
  }
}

/** The modules of the folder, bundled as they are and run. */
async function load(folder) {
  const out = mkdtempSync(join(tmpdir(), 'payctl-shapes-'))
  try {
    const names = readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .map((file) => basename(file, '.ts'))
    const bundle = await rolldown({
      input: Object.fromEntries(names.map((name) => [name, join(folder, `${name}.ts`)])),
      platform: 'node',
    })
    await bundle.write({
      dir: out,
      format: 'esm',
      entryFileNames: '[name].mjs',
      chunkFileNames: '[name]-[hash].mjs',
    })
    await bundle.close()
    const modules = names.map(async (name) => [
      name,
      await import(pathToFileURL(join(out, `${name}.mjs`)).href),
    ])
    return new Map(await Promise.all(modules))
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}
