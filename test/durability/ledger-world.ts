import { hostname } from 'node:os'
import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { HttpRequest } from '../../src/client/http/transport-port.ts'
import { createBench } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { ReceivedRequest, Scripted } from '../support/scripted-server.ts'
import { refusal, simulateService } from '../support/simulated-service.ts'

const KEY = 'key_of_a_durable_test_4711'
/** By then the ledger treats a process it knows nothing about as dead. */
const LATER_MS = 15 * 60_000

/** What happens to writes. They take effect unless they are refused or there is no server. */
export type Treatment = 'answered' | 'answer-lost' | 'refused' | 'no-server'

export interface World {
  readonly bench: Bench
  readonly account: Readonly<Record<string, string>>
  /** The writes that the service has performed, in order. */
  readonly done: readonly ReceivedRequest[]
  treatWritesAs: Treatment
  readonly stopServer: () => Promise<void>
  /** Resets the service to the first so many writes. */
  readonly rollBack: (writes: number) => void
}

/** A service in this process that records the writes it performs, and empty folders for the program. */
export async function createWorld(): Promise<World> {
  const bench = createBench({ machine: hostname() })
  onTestFinished(() => bench.dispose())
  rmSync(bench.stateFolder, { recursive: true })
  let service = simulateService('payment.refund')
  const done: ReceivedRequest[] = []
  const server = await startScriptedServer((request): Scripted => {
    const isWrite = request.method === 'POST'
    if (isWrite && world.treatWritesAs === 'refused') return refusal(422, 'UnprocessableRefundAmount')
    if (isWrite) done.push(request)
    const answer = service.handle(wireOf(server.url, request))
    return isWrite && world.treatWritesAs === 'answer-lost' ? { drop: 'before' } : answer
  })
  onTestFinished(() => server.close())
  const world: World = {
    bench,
    account: { PAY_API_KEY: KEY, PAY_BASE_URL: server.url },
    done,
    treatWritesAs: 'answered',
    stopServer: () => server.close(),
    rollBack: (writes) => {
      done.length = writes
      service = simulateService('payment.refund')
      for (const request of done) service.handle(wireOf(server.url, request))
    },
  }
  bench.clock.now = new Date(Date.now() + LATER_MS)
  return world
}

/** The request as the simulated service takes it. */
export function wireOf(url: string, { method, url: path, headers, body }: ReceivedRequest): HttpRequest {
  const key = headers['x-idempotency-key']
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    url: `${url}${path}`,
    headers: typeof key === 'string' ? { 'x-idempotency-key': key } : {},
    body: body === '' ? undefined : body,
  }
}
