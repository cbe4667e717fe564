import { OPERATIONS } from '../../api/table.ts'
import { describeCommand, globalFlagFacts } from '../../cli/help/describe-command.ts'
import type { CommandDescription } from '../../cli/help/describe-command.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec, Tree } from '../../cli/command/spec.ts'
import { renderTable } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import type { TableOperation } from '../../api/schemas/operation-schemas.ts'
import { requestSchema } from '../../api/schemas/operation-schemas.ts'
import { fieldOf } from '../../json/fields.ts'

export const command: CommandSpec = {
  path: ['commands'],
  summary: 'List every command, for programs that run pay',
  details:
    'With -o json, shows the arguments, flags, values, examples, exit codes and risk (read, write, money or destructive) of each command. globalFlags lists the flags that every command takes. Needs no account and no network.',
  examples: [
    { purpose: 'list the commands and their risk', line: 'pay commands' },
    { purpose: 'print everything, for a program', line: 'pay commands -o json' },
    {
      purpose: 'list the commands that only read',
      line: 'pay commands --query "data[?risk==\'read\'].command"',
    },
  ],
  run: async (_invocation, _input, tree) => {
    const specs = await allCommands(tree)
    return resultOf(
      {
        data: specs.map((spec) =>
          describeCommand(spec, { noun: tree[spec.path[0]], requiredFields: requiredOf(spec) }),
        ),
        globalFlags: globalFlagFacts(),
      },
      commandListView,
    )
  },
  related: ['schema', 'help', 'completion'],
}

/** Loads every command, in the order of the tree. */
export async function allCommands(tree: Tree): Promise<readonly CommandSpec[]> {
  const loads = Object.values(tree).flatMap(({ verbs, load }) => [
    ...Object.values(verbs ?? {}),
    ...(load === undefined ? [] : [load]),
  ])
  const loaded = await Promise.all(loads.map((load) => load()))
  return loaded.map((module) => module.command)
}

function requiredOf({ operation }: CommandSpec): ReadonlySet<string> {
  const row = OPERATIONS.find(({ id }) => id === operation?.id)
  return row === undefined ? new Set() : requiredFields(row)
}

const commandListView: View<{ readonly data: readonly CommandDescription[] }> = {
  ids: ({ data }) => data.map((listed) => listed.command),
  itemsKey: 'data',
  csvColumns: ['command', 'risk', 'confirmsOnLive', 'usage', 'summary'],
  render: ({ data }, options) =>
    renderTable(
      [
        { title: 'COMMAND', text: (listed) => listed.command },
        {
          title: 'RISK',
          text: ({ risk }) => risk,
          tone: ({ risk }) => (risk === 'money' || risk === 'destructive' ? 'warn' : undefined),
        },
        { title: 'ON LIVE', text: ({ confirmsOnLive }) => (confirmsOnLive ? 'asks' : ''), drop: 2 },
        { title: 'WHAT IT DOES', text: ({ summary }) => summary, wraps: true },
      ],
      data,
      options,
    ),
}

/** Required fields of a request as dotted paths. Fields of optional objects are not included. */
function requiredFields(operation: TableOperation): ReadonlySet<string> {
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
