import { renderDetails } from '../../output/details.ts'
import { safeText } from '../../output/safe-text.ts'
import { renderTable } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import { formatTime } from '../format-time.ts'

/** A running sandbox server. */
interface ShownServer {
  readonly url: string
  readonly pid: number
  readonly dataDir: string
  readonly ephemeral: boolean
  readonly idempotency: string
  readonly startedAt: string
}

interface ReadyServer extends ShownServer {
  readonly dashboardUrl: string
  readonly checkoutUrl: string
  readonly apiKeys: readonly string[]
}

const CSV_COLUMNS = ['url', 'pid', 'dataDir', 'ephemeral', 'idempotency', 'startedAt']

const folderOf = ({ dataDir, ephemeral }: ShownServer): string =>
  `${safeText(dataDir)}${ephemeral ? ' (removed at the end)' : ''}`

/** The message of a server that is ready; `ending` says how to end it. Scripts want its URL, so that is the ID. */
export const readyServerView = (ending: string): View<ReadyServer> => ({
  ids: ({ url }) => [url],
  csvColumns: CSV_COLUMNS,
  render: (server, { paint }) =>
    [
      `The sandbox is running at ${paint(server.url, 'strong')}`,
      '',
      renderDetails(
        { paint, width: undefined },
        [
          ['Dashboard', paint(server.dashboardUrl, 'accent')],
          ['Checkout', `${server.checkoutUrl}#CLIENT_TOKEN`],
        ],
        [
          ['Keys', server.apiKeys.join(', ')],
          ['Data', folderOf(server)],
          ['Used idempotency keys', server.idempotency === 'replay' ? 'replayed' : 'refused with 409'],
          ['Try', paint(`curl -H 'X-API-KEY: ${server.apiKeys[0] ?? ''}' ${server.url}/payments`, 'accent')],
          ['Stop', ending],
        ],
      ),
    ].join('\n'),
})

export const serverListView: View<readonly ShownServer[]> = {
  ids: (servers) => servers.map(({ url }) => url),
  csvColumns: CSV_COLUMNS,
  render: (servers, options) =>
    servers.length === 0
      ? 'No sandbox server is running.'
      : renderTable(
          [
            { title: 'URL', text: ({ url }) => url },
            { title: 'PID', text: ({ pid }) => String(pid), align: 'right' },
            {
              title: 'SINCE',
              text: ({ startedAt }) => formatTime(startedAt, options.timeZone) ?? '',
              drop: 2,
            },
            { title: 'DATA', text: folderOf, shrink: true },
          ],
          servers,
          options,
        ),
}

export const stoppedServersView: View<readonly ShownServer[]> = {
  ...serverListView,
  render: (servers, options) =>
    servers.length === 0
      ? serverListView.render(servers, options)
      : servers.map(({ url }) => `Stopped ${url}`).join('\n'),
}
