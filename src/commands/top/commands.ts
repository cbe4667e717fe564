import { requiredFields } from '../../api/schemas/required-fields.ts'
import { OPERATIONS } from '../../api/table.ts'
import { describeCommand, globalFlagFacts } from '../../cli/help/describe-command.ts'
import type { CommandDescription } from '../../cli/help/describe-command.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec, Tree } from '../../cli/command/spec.ts'
import { renderTable } from '../../output/table.ts'
import type { View } from '../../output/view.ts'

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
