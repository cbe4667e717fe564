import type { HttpRequest } from '../../src/client/http/transport-port.ts'

/** The error that a command in JSON mode prints as the last line of stderr. */
export const errorOf = ({ stderr }: { readonly stderr: string }) =>
  JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '').error

/** The requests that may have changed something. */
export const writesOf = <Request extends Pick<HttpRequest, 'method'>>({
  requests,
}: {
  readonly requests: readonly Request[]
}): readonly Request[] => requests.filter(({ method }) => method !== 'GET')
