import { CLOCKS_DIFFER_MS } from '../../src/calls/clocks.ts'
import { chanceOf } from './random.ts'
import { SimulatedDisk } from './simulated-disk.ts'
import { habitsOf } from './conditions.ts'
import type { World } from './pay-process.ts'
import { SCENES } from './workloads.ts'
import { Scheduler } from './scheduler.ts'
import type { Service } from './service.ts'
import { Shop } from './machine.ts'
import { checkEnd } from './verdicts.ts'
import { LEDGER, Watch } from './monitor.ts'

export interface HistoryOptions {
  readonly seed: number
  readonly service: Service
  /** Takes the story, a line for each event; without it none is made up. */
  readonly onLine?: (line: string) => void
  /** Counts what was met, by name. */
  readonly count: (what: string) => void
}

/** A day at a shop, from a seed: commands, mishaps, kills; then everything is cleared up and looked at. */
export async function runHistory({ seed, service, onLine, count }: HistoryOptions): Promise<void> {
  const chance = chanceOf(seed)
  const habits = habitsOf(chance)
  const tell = (who: string, words: () => string): void =>
    onLine?.(
      `${scheduler.now().toISOString().slice(5, 23)} ${who.padEnd(8)} ${words().trimEnd().replaceAll(`${LEDGER}/`, '')}`,
    )
  const scheduler = new Scheduler(habits.startMs, chance, tell)
  const disk = new SimulatedDisk()
  const isClockWrong = Math.abs(habits.skewMs) > CLOCKS_DIFFER_MS
  const watch = new Watch(disk, { now: () => scheduler.nowMs, isClockWrong })
  let ids = 0
  const newId = (kind: 'op' | 'key') => {
    ids += 1
    return `${kind}-${String(ids).padStart(3, '0')}`
  }
  const world: World = { scheduler, disk, service, watch, chance, tell, newId, habits }
  const { idempotency, keyLifeMs, skewMs } = habits
  const now = () => new Date(scheduler.nowMs + skewMs)
  service.begin({ chance: chanceOf(~seed), now, idempotency, keyLifeMs })
  const first = await chance.weigh(SCENES)(service, chance)
  const second = chance.happens(0.4) ? [await chance.weigh(SCENES)(service, chance)] : []
  const shop = new Shop(world, [first, ...second], count)
  tell('seed', () => `${seed}: ${JSON.stringify(habits)}`)
  await shop.live()
  await shop.clearUp()
  checkEnd(watch, service, {
    ends: watch.ends(),
    open: shop.open(),
    replays: idempotency === 'replay',
  })
  for (const { told, wasKilled } of watch.commands)
    count(told === undefined ? (wasKilled ? 'killed' : 'cut off') : `exit code ${told.exitCode}`)
}
