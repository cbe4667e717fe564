import { parseSync, Visitor } from 'rolldown/utils'

/** What quotes a value for the shells of this machine, or gives a value only if it needs no quotes. */
const QUOTING = new Set([
  'shellWord',
  'posixWord',
  'windowsWord',
  'plainWord',
  'lastWords',
  'flagWord',
  'fileWord',
  'accountFlagsOf',
  'formatFlagsOf',
  'expectationsOf',
  'skippingNone',
])
/** What makes a text safe for a terminal, and leaves it quoted. */
const PASSING = new Set(['formatField', 'safeText'])

const NOUNS =
  'session|payment|observability|loyalty|instrument|batch|ops|ledger|profile|sandbox|desk|find|reconcile|insights|smoke|api|whoami|doctor|schema|commands|completion|help'
/** A text that ends inside a command: no sentence, bracket or backtick has ended since its first word. NUL stands for a value. */
const IN_COMMAND = new RegExp(
  `(?:^|[\\s(\`":\\0])(?:pay(?:\\0| (?=\\0|-|(?:${NOUNS})\\b))|(?:chmod|chown|mv|curl|unzip|gzip|libreoffice|ssh-keygen|env -u) )(?:(?!\\. |[)\`;]).)*$`,
  's',
)
/** A text that ends with a flag which the value follows. */
const AFTER_FLAG = /(?:^|\s)--[a-z][a-z-]*[ =]["']?$/
/** Code that gives the beginning of a command. */
const BEGINNING = /^(?:pay[A-Z]?\w*(?:\(.*\))?|start)$/

type Program = ReturnType<typeof parseSync>['program']
type Statement = Extract<Program['body'][number], { type: 'ExpressionStatement' }>
type Expression = Statement['expression']
type Argument = Extract<Expression, { type: 'CallExpression' }>['arguments'][number]

/** The values that a file puts into commands without quoting them, as written. */
export function unquotedIn(path: string, code: string): readonly string[] {
  const { program } = parseSync(path, code)
  const values = new Map<string, Argument[]>()
  const found = new Set<string>()
  const written = ({ start, end }: { readonly start: number; readonly end: number }) =>
    code.slice(start, end).replaceAll(/\s+/g, ' ')

  function isMapper(node: Argument | undefined): boolean {
    if (node?.type === 'Identifier') return QUOTING.has(node.name) || isResolved(node.name)
    return (
      node?.type === 'ArrowFunctionExpression' && node.body.type !== 'BlockStatement' && isQuoted(node.body)
    )
  }

  const resolving = new Set<string>()
  function isResolved(name: string): boolean {
    const all = values.get(name)
    if (all === undefined || resolving.has(name)) return false
    resolving.add(name)
    const result = all.every((value) =>
      value.type === 'ArrowFunctionExpression' ? isMapper(value) : isQuoted(value),
    )
    resolving.delete(name)
    return result
  }

  function isQuoted(node: Argument): boolean {
    switch (node.type) {
      case 'Literal':
        return true
      case 'TemplateLiteral':
        return node.expressions.every(isQuoted)
      case 'ConditionalExpression':
        return isQuoted(node.consequent) && isQuoted(node.alternate)
      case 'LogicalExpression':
        return isQuoted(node.left) && isQuoted(node.right)
      case 'ParenthesizedExpression':
        return isQuoted(node.expression)
      case 'SpreadElement':
        return isQuoted(node.argument)
      case 'ArrayExpression':
        return node.elements.every((element) => element === null || isQuoted(element))
      case 'Identifier':
        return node.name === 'undefined' || isResolved(node.name)
      case 'CallExpression': {
        const { callee } = node
        if (callee.type === 'Identifier')
          return PASSING.has(callee.name)
            ? node.arguments.every(isQuoted)
            : QUOTING.has(callee.name) || isResolved(callee.name)
        if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return false
        const { name } = callee.property
        if (name === 'map' || name === 'flatMap') return isMapper(node.arguments[0])
        return (name === 'join' || name === 'slice') && isQuoted(callee.object)
      }
      default:
        return false
    }
  }
  const check = (node: Argument): void => {
    if (!isQuoted(node)) found.add(written(node))
  }
  const textOf = (node: Argument | undefined): string =>
    node === undefined
      ? ''
      : BEGINNING.test(written(node))
        ? 'pay'
        : node.type === 'Literal' && typeof node.value === 'string'
          ? node.value
          : node.type === 'TemplateLiteral'
            ? node.quasis
                .map(
                  ({ value }, at) => (value.cooked ?? '') + (node.expressions[at] === undefined ? '' : '\0'),
                )
                .join('')
            : '\0'

  new Visitor({
    VariableDeclarator: ({ id, init }) => {
      if (id.type === 'Identifier' && init !== null)
        values.set(id.name, [...(values.get(id.name) ?? []), init])
    },
  }).visit(program)
  new Visitor({
    TemplateLiteral: (node) => {
      let text = ''
      for (const [at, value] of node.expressions.entries()) {
        text += node.quasis[at]?.value.cooked ?? ''
        // `--host ${host} is open to others` says what was typed.
        const isSubject =
          /^--\S+ ["']?$/.test(text) && /^["']? [a-z]/.test(node.quasis[at + 1]?.value.cooked ?? '')
        if (IN_COMMAND.test(text) || (AFTER_FLAG.test(text) && !isSubject)) {
          check(value)
          if (/["']$/.test(text)) found.add(`${text.at(-1)}${written(value)}`)
        }
        text += BEGINNING.test(written(value)) ? 'pay\0' : '\0'
      }
    },
    CallExpression: ({ callee }) => {
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return
      if (callee.property.name !== 'join' || callee.object.type !== 'ArrayExpression') return
      const [first, ...more] = callee.object.elements
      if (first === null || first === undefined || !/^pay\b/.test(textOf(first))) return
      for (const element of more) if (element !== null) check(element)
    },
    BinaryExpression: (node) => {
      if (node.operator === '+' && IN_COMMAND.test(textOf(node.left))) check(node.right)
    },
  }).visit(program)
  return [...found]
}
