import type { Bench, RunOptions, RunResult } from '../../support/run-pay.ts'

/** A server of `pay sandbox start`, in this process. */
export interface Serving {
  readonly url: string
  readonly port: number
  readonly id: string
  readonly dataDir: string
  /** What it printed when it became ready. */
  readonly firstLine: string
  readonly ended: Promise<RunResult>
  /** Stops it like Ctrl-C. */
  readonly end: () => Promise<RunResult>
}

/** Runs `pay sandbox start --json` with more arguments, on a free port unless they name one, until it is ready. */
export async function serve(
  bench: Bench,
  words: readonly string[] = [],
  options: RunOptions = {},
): Promise<Serving> {
  const stop = new AbortController()
  const port = words.some((word) => word.startsWith('--port')) ? [] : ['--port', '0']
  let ended: Promise<RunResult> | undefined
  const firstLine = await new Promise<string>((ready, failed) => {
    ended = bench.runPay(['sandbox', 'start', ...port, '--json', ...words], {
      ...options,
      signal: stop.signal,
      onStdout: ready,
    })
    ended.then(({ stderr }) => failed(new Error(`it was never ready: ${stderr}`)), failed)
  })
  const { url, port: ownPort, id, dataDir } = Object(JSON.parse(firstLine))
  if (ended === undefined) throw new Error('it was never started')
  const running = ended
  return {
    url,
    port: ownPort,
    id,
    dataDir,
    firstLine,
    ended: running,
    end: () => {
      stop.abort('SIGINT')
      return running
    },
  }
}

/** A request from a third-party client. */
export async function request(
  url: string,
  path: string,
  {
    method = 'GET',
    body,
    headers = {},
  }: { method?: string; body?: unknown; headers?: Record<string, string> } = {},
): Promise<{ readonly status: number; readonly headers: Headers; readonly json: unknown }> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      'x-api-key': 'sandbox_all',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, headers: answer.headers, json: await answer.json() }
}

export const payment = (orderId: string) => ({
  paymentMethodToken: 'tok_autocapture',
  amount: 1000,
  currencyCode: 'EUR',
  orderId,
})

/** Whether a server listens there. */
export async function isListening(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  )
}
