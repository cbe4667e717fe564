import type { Client } from '../../../src/client/calls/client-port.ts'
import type { WholeLedger } from '../../../src/client/ledger/ledger.ts'
import { processClient, processLedger } from '../process-parts.ts'
import type { RequestWatch } from '../process-transport.ts'
import type { Process } from '../scheduler.ts'
import type { BatchMachine, BatchWorld } from './batch-world.ts'

const HOUR_MS = 60 * 60 * 1000

/** The ledger of a machine, as one of its processes uses it. */
export const ledgerOf = (
  world: BatchWorld,
  { ledger, name, processes, clock }: BatchMachine,
  process: Process,
): WholeLedger =>
  processLedger(world, process, {
    ledger,
    machine: name,
    clock,
    processes,
    faultRate: () => 0,
    onFault: () => undefined,
    newId: () => world.newId('op'),
  })

/** The pipeline of one process. */
export const clientOf = (
  world: BatchWorld,
  { clock }: BatchMachine,
  process: Process,
  ledger: WholeLedger,
  watch: RequestWatch,
): Client =>
  processClient(world, process, {
    ledger,
    clock,
    watch,
    maxRetries: world.random.below(4),
    oversleepMs: () =>
      world.conditions.isSlow && world.random.chance(0.1) ? world.random.below(26) * HOUR_MS : 0,
  })
