import { renderDetails } from '../../output/details.ts'
import { safeText } from '../../output/safe-text.ts'
import { renderTable } from '../../output/table.ts'
import type { View } from '../../output/view.ts'
import { withoutKey } from '../../sandbox/serve/registry.ts'
import type { RegisteredServer } from '../../sandbox/serve/registry.ts'
import { formatTime } from '../../views/format-time.ts'
import { shellWord } from '../../files/shell.ts'

export interface PageUrls {
  readonly dashboardUrl: string
  /** Takes a client token as its fragment. */
  readonly checkoutUrl: string
}

/** The pages of a server. */
export const pageUrls = ({ url }: { readonly url: string }): PageUrls => ({
  dashboardUrl: `${url}/dashboard`,
  checkoutUrl: `${url}/checkout`,
})

/** A running server to show, with its pages and without its key. */
export const shownServer = (server: RegisteredServer): RegisteredServer & PageUrls => ({
  ...withoutKey(server),
  ...pageUrls(server),
})

const CSV_COLUMNS = ['url', 'pid', 'dataDir', 'ephemeral', 'idempotency', 'startedAt']

const folderOf = ({ dataDir, ephemeral }: RegisteredServer): string =>
  `${safeText(dataDir)}${ephemeral ? ' (removed at the end)' : ''}`

/** The message of a server that is ready; `ending` says how to end it. Scripts want its URL, so that is the ID. */
export const readyServerView = (
  ending: string,
): View<RegisteredServer & PageUrls & { readonly apiKeys: readonly string[] }> => ({
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
          [
            'Try',
            paint(
              `curl -H ${shellWord(`X-API-KEY: ${server.apiKeys[0] ?? ''}`)} ${shellWord(`${server.url}/payments`)}`,
              'accent',
            ),
          ],
          ['Stop', ending],
        ],
      ),
    ].join('\n'),
})

export const serverListView: View<readonly RegisteredServer[]> = {
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

export const stoppedServersView: View<readonly RegisteredServer[]> = {
  ...serverListView,
  render: (servers, options) =>
    servers.length === 0
      ? serverListView.render(servers, options)
      : servers.map(({ url }) => `Stopped ${url}`).join('\n'),
}
