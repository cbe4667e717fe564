/** A request as a page sends it. */
export interface Outgoing {
  readonly method: string
  /** With its query; percent-encoded. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON; undefined sends no body. */
  readonly body: string | undefined
  readonly signal: AbortSignal | undefined
}

/** A complete response. */
export interface Incoming {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | null
}

/**
 * Sends a request to the sandbox that serves this page. No cookie, cache, redirect or referrer is involved.
 * @throws what `fetch` throws if there is no complete response
 */
export async function exchange({ method, url, headers, body, signal }: Outgoing): Promise<Incoming> {
  const response = await fetch(url, {
    method,
    headers: {
      'X-Api-Version': '2.1',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body: body ?? null,
    cache: 'no-store',
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
    signal: signal ?? null,
  })
  return {
    status: response.status,
    text: await response.text(),
    retryAfter: response.headers.get('retry-after'),
  }
}
