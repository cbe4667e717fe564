import { rmSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { HttpRequest } from '../../src/http/transport-port.ts'
import { createBench } from '../support/run-pay.ts'
import type { Bench } from '../support/run-pay.ts'
import { startScriptedServer } from '../support/scripted-server.ts'
import type { ReceivedRequest, Scripted } from '../support/scripted-server.ts'
import { refusal, simulateService } from '../support/simulated-service.ts'

const KEY = 'key_of_a_durable_test_4711'
/** By then a process of which nothing more is known counts as gone. */
const LATER_MS = 15 * 60_000

/** How writes are treated; they take effect unless they are refused. */
export type Treatment = 'answered' | 'answer-lost' | 'refused' | 'no-server'

export interface World {
  readonly bench: Bench
  readonly account: Readonly<Record<string, string>>
  /** Writes that the service has done, in order. */
  readonly done: readonly ReceivedRequest[]
  treatWritesAs: Treatment
  readonly stopServer: () => Promise<void>
  /** Has the service have done only the first so many writes. */
  readonly rollBack: (writes: number) => void
}

/** A service in this process that counts what it does, and the folders of a program that has never run. */
export async function createWorld(): Promise<World> {
  const bench = createBench()
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

export function wireOf(url: string, { method, url: path, headers, body }: ReceivedRequest): HttpRequest {
  const key = headers['x-idempotency-key']
  return {
    method: method === 'GET' ? 'GET' : 'POST',
    url: `${url}${path}`,
    headers: typeof key === 'string' ? { 'x-idempotency-key': key } : {},
    body: body === '' ? undefined : body,
  }
}
