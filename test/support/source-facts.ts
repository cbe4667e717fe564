import { parseSync, Visitor } from 'rolldown/utils'

/** What a source file says of itself, read from its syntax tree. */
export interface SourceFacts {
  /** What it imports, types and `import()` included, as written; `import(expression)` is `*`. */
  readonly imports: readonly string[]
  readonly hasDefaultExport: boolean
  /** `export * from`, or nothing but re-exports. */
  readonly isBarrel: boolean
  /** `process.env`, `Date.now`, `new Date()`: what it takes from the world in place of being given it. */
  readonly takes: readonly string[]
}

const WORLD = new Set(['process', 'Date.now', 'Math.random', 'crypto.randomUUID'])

export function readSource(path: string, source: string): SourceFacts {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const imports: string[] = []
  const takes: string[] = []
  let hasDefaultExport = false
  let exportsAll = false
  new Visitor({
    ImportDeclaration: (node) => void imports.push(node.source.value),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) imports.push(node.source.value)
    },
    ExportAllDeclaration: (node) => {
      imports.push(node.source.value)
      exportsAll = true
    },
    ExportDefaultDeclaration: () => {
      hasDefaultExport = true
    },
    ImportExpression: ({ source: from }) =>
      void imports.push(from.type === 'Literal' && typeof from.value === 'string' ? from.value : '*'),
    TSImportType: (node) => void imports.push(node.source.value),
    MemberExpression: (node) => {
      if (node.object.type !== 'Identifier' || node.computed || node.property.type !== 'Identifier') return
      const name = `${node.object.name}.${node.property.name}`
      if (WORLD.has(name) || WORLD.has(node.object.name) || name === 'globalThis.process') takes.push(name)
    },
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0)
        takes.push('new Date()')
    },
  }).visit(program)
  const isReexport = (node: (typeof program.body)[number]) =>
    node.type === 'ExportNamedDeclaration' && node.source !== null
  const isBarrel = exportsAll || (program.body.length > 0 && program.body.every(isReexport))
  return { imports, hasDefaultExport, isBarrel, takes }
}
