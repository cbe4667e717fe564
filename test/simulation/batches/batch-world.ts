import type { RunRow } from '../../../src/rows/batch/apply/run-rows.ts'
import type { Surroundings } from '../process-parts.ts'
import type { Process } from '../scheduler.ts'
import type { Service } from '../service.ts'
import type { SimulatedLedger } from '../ledger/simulated-ledger.ts'
import type { MachineClock } from '../machine-clock.ts'
import type { BatchFacts } from './batch-facts.ts'
import type { OperationMix } from './operation-mix.ts'

/** One person's machine: its own ledger, runs and processes. */
export interface BatchMachine {
  readonly name: string
  readonly ledger: SimulatedLedger
  readonly clock: MachineClock
  /** What was noted about each plan's rows. */
  readonly runs: Map<string, RunRow[]>
  readonly processes: Set<Process>
  /** The plans that a process of the machine is applying: another one is refused. */
  readonly applying: Map<string, Process>
  /** The plans that it has begun. */
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
