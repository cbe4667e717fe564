import { BASE_URL } from './service.ts'
import type { Service } from './service.ts'

/** A request that prepares a workload, which no fault affects. */
export async function prepare(service: Service, method: string, path: string, body?: unknown) {
  const { reply } = await service.handle({
    method,
    url: `${BASE_URL}${path}`,
    headers: { 'x-api-key': 'sandbox_all', 'x-api-version': '2.1', 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  if (reply.status !== 200) throw new Error(`${method} ${path}: ${reply.status} ${reply.body}`)
  const answer: unknown = JSON.parse(reply.body)
  return answer
}

/** The text at a path of a response body. */
export function textAt(value: unknown, ...path: readonly string[]): string {
  let inner = value
  for (const name of path)
    inner =
      typeof inner === 'object' && inner !== null
        ? Object.entries(inner).find(([key]) => key === name)?.[1]
        : undefined
  if (typeof inner !== 'string') throw new Error(`no text at ${path.join('.')}`)
  return inner
}
