import { read } from '../../page/service.ts'
import type { LoggedRequest } from '../../../sandbox/log/logged-request.ts'

/** The number of requests that the sandbox keeps. */
const MOST = 10_000
/** Enough for what arrives between two looks, unless the sandbox is very busy. */
const RECENT = 1000

/**
 * The whole log, newest first. Given what is known already, it asks only for what arrived since, unless too much did, or
 * the log was cleared.
 */
export async function fetchLog(
  known: readonly LoggedRequest[],
  payment: string | undefined,
  signal: AbortSignal,
): Promise<readonly LoggedRequest[]> {
  const fetchNewest = async (limit: number) =>
    (
      await read<{ data: readonly LoggedRequest[] }>('/sandbox/requests', {
        query: { limit, payment },
        signal,
      })
    ).data
  const newest = known[0]
  if (newest === undefined) return fetchNewest(MOST)
  const recent = await fetchNewest(RECENT)
  const at = recent.findIndex(({ requestId }) => requestId === newest.requestId)
  if (at === -1) return fetchNewest(MOST)
  return at === 0 ? known : [...recent.slice(0, at), ...known].slice(0, MOST)
}

export const OUTCOMES = [
  { value: '', label: 'All' },
  { value: 'success', label: 'Success' },
  { value: 'refused', label: 'Refused (4xx)' },
  { value: 'failed', label: 'Failed (5xx)' },
  { value: 'none', label: 'No response' },
  { value: 'fault', label: 'Met a fault' },
  { value: 'applied', label: 'Applied' },
] as const

const HAS_OUTCOME: Readonly<Record<string, (entry: LoggedRequest) => boolean>> = {
  success: ({ status = 0 }) => status >= 200 && status < 300,
  refused: ({ status = 0 }) => status >= 400 && status < 500,
  failed: ({ status = 0 }) => status >= 500,
  none: ({ status }) => status === undefined,
  fault: ({ fault }) => fault !== undefined,
  applied: ({ applied }) => applied,
}

/** Every word must occur in the method, path, payment, key, operation or error. */
export function filterLog(
  entries: readonly LoggedRequest[],
  {
    search = '',
    outcome = '',
  }: { readonly search?: string | undefined; readonly outcome?: string | undefined },
): readonly LoggedRequest[] {
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
  const hasOutcome = HAS_OUTCOME[outcome]
  if (words.length === 0 && hasOutcome === undefined) return entries
  return entries.filter((entry) => {
    if (hasOutcome?.(entry) === false) return false
    if (words.length === 0) return true
    const { method, path, payment, key, operation, errorId, idempotencyKey, requestId, status } = entry
    const text = [method, path, payment, key, operation, errorId, idempotencyKey, requestId, status]
      .join(' ')
      .toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
