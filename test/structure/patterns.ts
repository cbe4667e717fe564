import { parseSync, Visitor } from 'rolldown/utils'

export interface Pattern {
  readonly source: string
  readonly flags: string
}

/** The regular expressions of a source file. */
export interface FilePatterns {
  readonly patterns: readonly Pattern[]
  /** Constructors whose pattern only the running program knows, as written. */
  readonly unread: readonly string[]
}

/** Methods that turn text into a regular expression. */
const FROM_TEXT = new Set(['match', 'matchAll', 'search'])

type Program = ReturnType<typeof parseSync>['program']
type Expression = Extract<Program['body'][number], { type: 'ExpressionStatement' }>['expression']
type Argument = Extract<Expression, { type: 'CallExpression' }>['arguments'][number]

/** Finds literals and constructors. `samples` has texts for parts of a pattern that only the running program knows, by their code. */
export function readPatterns(
  path: string,
  code: string,
  samples: Readonly<Record<string, string>> = {},
): FilePatterns {
  const { program } = parseSync(path, code)
  const constants = constantsOf(program)
  const patterns: Pattern[] = []
  const unread: string[] = []

  function textOf(node: Argument): string | undefined {
    const written = code.slice(node.start, node.end)
    if (Object.hasOwn(samples, written)) return samples[written]
    if (node.type === 'Literal' && typeof node.value === 'string') return node.value
    if (node.type === 'TemplateLiteral')
      return joined(
        node.quasis.map(({ value }) => value.cooked ?? undefined),
        node.expressions.map(textOf),
      )
    if (node.type === 'TaggedTemplateExpression' && code.slice(node.tag.start, node.tag.end) === 'String.raw')
      return joined(
        node.quasi.quasis.map(({ value }) => value.raw),
        node.quasi.expressions.map(textOf),
      )
    if (node.type === 'BinaryExpression' && node.operator === '+')
      return joined(['', '', ''], [textOf(node.left), textOf(node.right)])
    const constant = node.type === 'Identifier' ? constants.get(node.name) : undefined
    return constant === undefined ? undefined : textOf(constant)
  }

  function add({ start, end }: Argument, source: Argument | undefined, flags: Argument | undefined): void {
    const [text, flagText] = [source && textOf(source), flags === undefined ? '' : textOf(flags)]
    if (text === undefined || flagText === undefined) unread.push(code.slice(start, end))
    else patterns.push({ source: text, flags: flagText })
  }

  new Visitor({
    Literal: (node) => {
      if ('regex' in node) patterns.push({ source: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression: (node) => {
      const [source, flags] = node.arguments
      if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp') add(node, source, flags)
    },
    CallExpression: (node) => {
      const [source, flags] = node.arguments
      const { callee } = node
      if (callee.type === 'Identifier' && callee.name === 'RegExp') add(node, source, flags)
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (!FROM_TEXT.has(callee.property.name) || source === undefined) return
      const text = textOf(source)
      if (text !== undefined) patterns.push({ source: text, flags: '' })
    },
  }).visit(program)
  return { patterns, unread }
}

/** The values of a file's own constants. */
function constantsOf(program: Program): ReadonlyMap<string, Expression> {
  const constants = new Map<string, Expression>()
  for (const statement of program.body) {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
    if (declared?.type !== 'VariableDeclaration' || declared.kind !== 'const') continue
    for (const { id, init } of declared.declarations)
      if (id.type === 'Identifier' && init !== null) constants.set(id.name, init)
  }
  return constants
}

/** Texts with other texts between them; undefined if one of them is. */
function joined(
  texts: readonly (string | undefined)[],
  between: readonly (string | undefined)[],
): string | undefined {
  const parts = texts.flatMap((text, at) => (at < between.length ? [text, between[at]] : [text]))
  return parts.includes(undefined) ? undefined : parts.join('')
}
