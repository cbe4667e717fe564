import type { JsonSchema } from '../../api/schemas/conversion.ts'
import type { TableOperation } from '../../api/schemas/operation-schemas.ts'
import { OPERATIONS } from '../../api/table.ts'
import { switchFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf, textView } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec, Tree } from '../../cli/command/spec.ts'
import { UsageError } from '../../errors.ts'
import { CURRENCY_CODES } from '../../money/currencies.ts'
import { closest } from '../../text/suggest.ts'
import { renderTable } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import { shellWord } from '../../files/shell.ts'

const operations: readonly TableOperation[] = OPERATIONS

/** Parts of an operation other than its request body. */
const PARTS = ['response', 'query-parameters'] as const

export const command: CommandSpec = {
  path: ['schema'],
  summary: 'Show API operations as JSON Schema or OpenAPI',
  details:
    'Without OPERATION, lists the operations. With it, shows the JSON Schema (draft 2020-12) of the request body, or of the response if there is no body. Request schemas are as strict as the service; responses may contain more fields than their schema names. Needs no account and no network.',
  examples: [
    { purpose: 'list the operations', line: 'pay schema' },
    { purpose: 'show what a refund takes', line: 'pay schema payment.refund' },
    { purpose: 'export the whole API, for other programs', line: 'pay schema --openapi > openapi.json' },
  ],
  args: [{ name: 'OPERATION', optional: true, from: 'operation', help: 'Such as payment.capture' }],
  flags: {
    response: { kind: 'switch', help: 'Show the schema of the response' },
    'query-parameters': { kind: 'switch', help: 'Show the schema of the query parameters, as one object' },
    openapi: { kind: 'switch', help: 'Show the whole API as OpenAPI 3.1' },
  },
  run,
  related: ['api', 'commands'],
}

async function run(invocation: Invocation, input: CommandInput, tree: Tree): Promise<Result> {
  const id = input.args['OPERATION']
  refuseContradictions(input)
  if (switchFlag(input, 'openapi')) return showOpenApi(tree)
  if (id === undefined) return resultOf(operations.map(listed), operationListView)
  return showSchema(invocation, input, findOperation(id))
}

const listed = ({ id, method, path, summary }: TableOperation) => ({ id, method, path, summary })

const operationListView: View<readonly ReturnType<typeof listed>[]> = {
  ids: (rows) => rows.map(({ id }) => id),
  csvColumns: ['id', 'method', 'path', 'summary'],
  render: (rows, options) =>
    renderTable(
      [
        { title: 'OPERATION', text: (operation) => operation.id },
        { title: 'METHOD', text: (operation) => operation.method, drop: 2 },
        { title: 'PATH', text: (operation) => operation.path, drop: 1 },
        { title: 'WHAT IT DOES', text: (operation) => operation.summary, wraps: true },
      ],
      rows,
      options,
    ),
}

/** Shows a schema as JSON on a terminal too. */
const asJson = (ids: readonly string[]) => ({ ...textView<unknown>(() => ''), ids: () => ids })
const show = (schema: JsonSchema) => resultOf<unknown>(schema, asJson([String(schema.$id)]))

async function showOpenApi(tree: Tree): Promise<Result> {
  const { openApiDocument } = await import('../../api/schemas/openapi.ts')
  const document = openApiDocument({
    currencies: CURRENCY_CODES,
    describeTag: (tag) => tree[tag]?.summary,
  })
  return resultOf<unknown>(document, asJson(operations.map(({ id }) => id)))
}

async function showSchema(
  { note }: Invocation,
  input: CommandInput,
  operation: TableOperation,
): Promise<Result> {
  const { answerSchema, querySchema, requestSchema } = await import('../../api/schemas/operation-schemas.ts')
  const options = { currencies: CURRENCY_CODES }
  if (switchFlag(input, 'response')) return show(answerSchema(operation, options))
  if (switchFlag(input, 'query-parameters')) {
    const query = querySchema(operation, options)
    if (query !== undefined) return show(query)
    throw new UsageError(`${operation.id} takes no query parameters`, {
      code: 'bad_value',
      next: [`pay schema ${operation.id}`],
    })
  }
  const request = requestSchema(operation, options)
  if (request !== undefined) return show(request)
  const more = operation.query === undefined ? '' : ' For its query parameters, use --query-parameters.'
  await note(`${operation.id} takes no body, so this is the schema of its response.${more}`)
  return show(answerSchema(operation, options))
}

function refuseContradictions(input: CommandInput): void {
  const asked = [...PARTS, 'openapi' as const].filter((flag) => switchFlag(input, flag))
  if (asked.length > 1) {
    throw new UsageError(`${asked.map((flag) => `--${flag}`).join(' and ')} can't be combined`, {
      code: 'given_twice',
      hint: 'Choose one',
    })
  }
  const [flag] = asked
  const id = input.args['OPERATION']
  if (flag === 'openapi' && id !== undefined) {
    throw new UsageError('--openapi shows the whole API, so it takes no operation', {
      code: 'given_twice',
      hint: `Leave out --openapi or ${id}`,
    })
  }
  if (flag !== undefined && flag !== 'openapi' && id === undefined) {
    throw new UsageError(`Missing: OPERATION, which --${flag} needs`, {
      code: 'missing_input',
      next: ['pay schema'],
    })
  }
}

function findOperation(id: string): TableOperation {
  const found = operations.find((operation) => operation.id === id)
  if (found !== undefined) return found
  const ids = operations.map((operation) => operation.id)
  const ofNoun = ids.filter((known) => known.startsWith(`${id}.`))
  const suggestion = ids.find((known) => known.endsWith(`.${id}`)) ?? closest(id, ids)
  throw new UsageError(`No operation named "${id.slice(0, 40)}"`, {
    code: 'bad_value',
    hint:
      ofNoun.length > 0
        ? `One of ${ofNoun.join(', ')}`
        : suggestion === undefined
          ? 'To list the operations, run pay schema.'
          : `Did you mean ${suggestion}?`,
    next: suggestion === undefined ? ['pay schema'] : [`pay schema ${shellWord(suggestion)}`],
  })
}
