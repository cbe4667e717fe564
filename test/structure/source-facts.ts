import { parseSync, Visitor } from 'rolldown/utils'

/** Facts about a source file, read from its syntax tree. */
export interface SourceFacts {
  /** Its imports as written, including types and `import()`; `*` for `import(expression)`. */
  readonly imports: readonly { readonly name: string; readonly isType: boolean }[]
  /** Uses of `process`, the clock and randomness, such as `process.env`, `Date.now` or `new Date()`. */
  readonly takes: readonly string[]
  /** Decisions by the text of a message, such as `error.message.includes('is required')`. */
  readonly readsWords: readonly string[]
}

/** Methods of strings, regular expressions and lists that search text. */
const LOOKS = new Set(
  'includes startsWith endsWith indexOf match matchAll search test exec split replace replaceAll has'.split(
    ' ',
  ),
)
/** Properties with sentences for people. Programs read `path` and `code` instead. */
const SENTENCES = new Set(['message', 'description', 'hint'])
const MESSAGE = new Set(['message'])

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** Whether an error's message, a variable with that name or `messageOf` is part of an expression. */
function holdsMessage(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false
  if ('type' in node && node.type === 'Identifier' && 'name' in node)
    return /^message(?:Of)?$/.test(String(node.name))
  return Object.values(node).some(holdsMessage)
}

const isNamed = (node: object, names: ReadonlySet<string>): boolean =>
  'name' in node && typeof node.name === 'string' && names.has(node.name)

function isSentence(node: object): boolean {
  if ('expression' in node && typeof node.expression === 'object' && node.expression !== null)
    return isSentence(node.expression)
  if ('property' in node && typeof node.property === 'object' && node.property !== null)
    return isNamed(node.property, SENTENCES)
  return isNamed(node, MESSAGE)
}

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' ||
  ('value' in node && typeof node.value === 'string' && node.value !== '') ||
  isSentence(node)

const WORLD = new Set(['process', 'Date.now', 'Math.random', 'crypto.randomUUID'])

export function readSource(path: string, source: string): SourceFacts {
  const { program, errors } = parseSync(path, source)
  if (errors.length > 0) throw new Error(`${path} cannot be parsed: ${errors[0]?.message}`)
  const imports: { name: string; isType: boolean }[] = []
  const note = (name: string, isType = false) => void imports.push({ name, isType })
  const takes: string[] = []
  const readsWords: string[] = []
  const noteWords = ({ start, end }: Node) => void readsWords.push(source.slice(start, end))
  new Visitor({
    ImportDeclaration: (node) => note(node.source.value, node.importKind === 'type'),
    ExportNamedDeclaration: (node) => {
      if (node.source !== null) note(node.source.value, node.exportKind === 'type')
    },
    ExportAllDeclaration: (node) => note(node.source.value),
    ImportExpression: ({ source: from }) =>
      note(from.type === 'Literal' && typeof from.value === 'string' ? from.value : '*'),
    TSImportType: (node) => note(node.source.value, true),
    MemberExpression: (node) => {
      if (node.object.type !== 'Identifier' || node.computed || node.property.type !== 'Identifier') return
      const name = `${node.object.name}.${node.property.name}`
      if (WORLD.has(name) || WORLD.has(node.object.name) || name === 'globalThis.process') takes.push(name)
    },
    CallExpression: (node) => {
      if (node.callee.type !== 'MemberExpression' || node.callee.property.type !== 'Identifier') return
      if (LOOKS.has(node.callee.property.name) && holdsMessage([node.callee.object, node.arguments]))
        noteWords(node)
    },
    BinaryExpression: (node) => {
      if (!/^[!=]==?$/.test(node.operator)) return
      const sides = [node.left, node.right]
      if (sides.some(isSentence) && sides.every(isText)) noteWords(node)
    },
    SwitchStatement: (node) => {
      if (isSentence(node.discriminant)) noteWords(node.discriminant)
    },
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0)
        takes.push('new Date()')
    },
  }).visit(program)
  return { imports, takes, readsWords }
}
