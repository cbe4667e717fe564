import { createClient } from '../../../src/client/calls/client.ts'
import { createInProcessTransport } from '../../../src/client/http/in-process-transport.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import type { Transport } from '../../../src/client/http/transport-port.ts'
import type { Service } from '../../sandbox/service.ts'
import type { LedgerBench, SimulatedProcess } from './ledger-bench.ts'

/** What becomes of a write on its way; reads come through. */
export type Way = 'through' | 'lost before' | 'lost after'

let keys = 0

/** A client of one process, on the sandbox. */
export function clientOn(
  service: Service,
  bench: LedgerBench,
  { ledger, owner }: SimulatedProcess,
  way: Way,
) {
  const through = createInProcessTransport(service.sandbox, { sleep: async () => {} })
  const transport: Transport = {
    ...through,
    send: async (request, options) => {
      if (request.method === 'GET' || way === 'through') return through.send(request, options)
      if (way === 'lost after') await through.send(request, options)
      throw new TransportFailure('cut', true, 'the connection ended')
    },
  }
  const never = new AbortController().signal
  return createClient({
    transport,
    ledger,
    profile: undefined,
    mode: 'test',
    baseUrl: 'https://sandbox.example.com',
    apiKey: 'sandbox_all',
    apiVersion: '2.1',
    userAgent: 'test',
    timeoutMs: 1_000,
    maxRetries: 0,
    now: () => bench.clock.now,
    clocks: () => ({ wallMs: bench.clock.now.getTime(), machine: owner.machine }),
    random: () => 0.5,
    newId: () => {
      keys += 1
      return `key-${keys}`
    },
    sleep: async (ms) => bench.waitMs(ms),
    interruption: { stop: never, abandon: never },
    onAttempt: () => {},
  })
}
