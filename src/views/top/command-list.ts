import { renderTable } from '../../output/table.ts'
import type { View } from '../../output/view.ts'

/** A command as listed by `pay commands`. */
export interface ListedCommand {
  readonly command: string
  readonly risk: 'read' | 'write' | 'money' | 'destructive'
  readonly confirmsOnLive: boolean
  readonly summary: string
}

export interface CommandList<Listed extends ListedCommand> {
  readonly data: readonly Listed[]
}

export const commandListView: View<CommandList<ListedCommand>> = {
  ids: ({ data }) => data.map(({ command }) => command),
  itemsKey: 'data',
  csvColumns: ['command', 'risk', 'confirmsOnLive', 'usage', 'summary'],
  render: ({ data }, options) =>
    renderTable(
      [
        { title: 'COMMAND', text: ({ command }) => command },
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
