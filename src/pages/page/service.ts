import { signal } from '@preact/signals'
import { send, ServiceError } from './send.ts'
import type { Sent } from './send.ts'

/** The page's question for a key. */
export interface KeyQuestion {
  /** Whether the person already gave a key, and the sandbox refused it. */
  readonly wasRefused: boolean
  /** Takes the key; undefined if the person gives none. */
  readonly answer: (key: string | undefined) => void
}

/** The published key of a sandbox that only this machine reaches. */
const PUBLISHED_KEY = 'sandbox_all'

// In memory only: a reload asks again.
let apiKey = PUBLISHED_KEY
let asking: Promise<boolean> | undefined

/** The open question for a key; undefined while the key works. */
export const keyQuestion = signal<KeyQuestion | undefined>(undefined)

/** Asks for a key after `refused` was refused. False if the person gives none. */
function askForKey(refused: string): Promise<boolean> {
  if (refused !== apiKey) return Promise.resolve(true)
  asking ??= new Promise((resolve) => {
    keyQuestion.value = {
      wasRefused: refused !== PUBLISHED_KEY,
      answer: (key) => {
        apiKey = key ?? apiKey
        keyQuestion.value = undefined
        asking = undefined
        resolve(key !== undefined)
      },
    }
  })
  return asking
}

type CallOptions = Pick<Sent, 'query' | 'signal'> & {
  /** One key for each intent: the service applies a key at most once. */
  readonly idempotencyKey?: string | undefined
}

/** Does a {@link call} that only reads. */
export const read = <T>(path: string, options: Pick<CallOptions, 'query' | 'signal'> = {}): Promise<T> =>
  call<T>('GET', path, undefined, options)

/**
 * Calls the sandbox that serves this page. Asks for a key and repeats the call if the key is refused.
 * @throws {ServiceError} for a refusal, and with status 0 for a lost or unreadable response
 */
export async function call<T>(
  method: string,
  path: string,
  body?: unknown,
  { idempotencyKey, query, signal: abort }: CallOptions = {},
): Promise<T> {
  const key = apiKey
  const headers = {
    'X-API-KEY': key,
    ...(idempotencyKey === undefined ? {} : { 'X-Idempotency-Key': idempotencyKey }),
  }
  try {
    return await send<T>({ method, path, query, headers, body, signal: abort })
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 401 || !(await askForKey(key))) throw error
    return call<T>(method, path, body, { idempotencyKey, query, signal: abort })
  }
}
