import type { Surroundings } from '../process-parts.ts'
import type { Process } from '../scheduler.ts'
import type { Service } from '../service.ts'
import type { SimulatedDisk } from '../disk/simulated-disk.ts'
import type { BatchFacts } from './batch-facts.ts'
import type { OperationMix } from './operation-mix.ts'

export const BATCH_STATE = '/state'
/** The outcomes of plans, by plan. */
export const JOURNALS = `${BATCH_STATE}/batches`

/** One person's machine: its own state folder, ledger and processes. */
export interface BatchMachine {
  readonly name: string
  readonly disk: SimulatedDisk
  readonly processes: Set<Process>
  /** The plans that a process of the machine is applying: another one is refused. */
  readonly applying: Map<string, Process>
  /** The plans whose begun mark is on its disk. */
  readonly begun: Set<string>
  boots: number
}

/** Everything around the processes of one history of batches. */
export interface BatchWorld extends Surroundings {
  readonly service: Service
  readonly facts: BatchFacts
  readonly mix: OperationMix
  readonly machines: readonly [BatchMachine, BatchMachine]
  readonly payments: readonly [string, ...string[]]
}
