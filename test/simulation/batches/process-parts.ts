import type { Client } from '../../../src/calls/client-port.ts'
import type { FileLedger } from '../../../src/ledger/ledger.ts'
import { processClient, processLedger } from '../process-parts.ts'
import type { RequestWatch } from '../process-transport.ts'
import type { Process } from '../scheduler.ts'
import { BATCH_STATE } from './batch-world.ts'
import type { BatchMachine, BatchWorld } from './batch-world.ts'

const HOUR_MS = 60 * 60 * 1000

/** The ledger of a machine, as one of its processes uses it. */
export const ledgerOf = (
  world: BatchWorld,
  { disk, name, processes }: BatchMachine,
  process: Process,
): FileLedger =>
  processLedger(world, process, {
    disk,
    folder: `${BATCH_STATE}/ledger`,
    machine: name,
    processes,
    diskFullRate: () => 0,
    onDiskFull: () => undefined,
    newId: () => world.newId('op'),
  })

/** The pipeline of one process. */
export const clientOf = (
  world: BatchWorld,
  process: Process,
  ledger: FileLedger,
  watch: RequestWatch,
): Client =>
  processClient(world, process, {
    ledger,
    watch,
    maxRetries: world.random.below(4),
    oversleepMs: () =>
      world.conditions.isSlow && world.random.chance(0.1) ? world.random.below(26) * HOUR_MS : 0,
  })
