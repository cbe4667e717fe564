import type { VirtualTime } from './responses.ts'
import { advanceClock, virtualNow } from '../domain/clock.ts'
import { processDuePayments } from '../domain/payment/due-events.ts'
import type { ControlContext } from './control.ts'

export const showTime = ({ store: { settings }, machineNow }: ControlContext): VirtualTime => ({
  now: virtualNow(settings, machineNow).toISOString(),
  offsetMs: settings.clockOffsetMs(),
})

/** Moves the clock forward, and does what is due by then. */
export function advanceTime(context: ControlContext, ms: number): VirtualTime {
  const { store, machineNow } = context
  advanceClock(store.settings, machineNow, ms)
  processDuePayments({ ...context, now: virtualNow(store.settings, machineNow) })
  return showTime(context)
}
