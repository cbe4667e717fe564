import type { Surroundings } from './process-parts.ts'
import type { Process } from './scheduler.ts'

interface InterruptOptions {
  /** A request in flight when its sender dies is the hardest case, so these kills are more frequent. */
  readonly isInFlight: boolean
  readonly count: (what: string) => void
}

/** Before the next step of a process: perhaps a kill or a Ctrl-C. */
export function interruptProcess(
  { conditions, random, scheduler, trace }: Surroundings,
  process: Process,
  { isInFlight, count }: InterruptOptions,
): void {
  if (random.chance(isInFlight ? conditions.killRate * 5 : conditions.killRate)) {
    trace(
      process.name,
      () => `is killed before it ${process.steps.map(({ words }) => words()).join(' and ')}`,
    )
    count('kill')
    scheduler.kill(process)
  } else if (random.chance(conditions.signalRate)) {
    const isFirst = !process.stop.signal.aborted
    trace(process.name, () => `gets the ${isFirst ? 'first' : 'second'} Ctrl-C`)
    count('signal')
    ;(isFirst ? process.stop : process.abandon).abort('SIGINT')
  }
}
