import type { OpenIntent, Snapshot } from '../../ledger/port.ts'
import type { Recovery } from '../attempts.ts'
import type { Call } from '../call.ts'
import type { ClientOptions } from '../client-port.ts'
import { confirmProcessed, checkTarget } from './recover.ts'

/** How to resolve doubt about one write. `before` is what was read before it was sent. */
export function recoveryFor(
  options: ClientOptions,
  call: Call,
  {
    before,
    inDoubt,
    since,
    isOurs,
    isKeyTaken,
  }: {
    readonly before: Snapshot | undefined
    readonly inDoubt: boolean
    readonly since?: Date | undefined
    readonly isOurs: Recovery['isOurs']
    readonly isKeyTaken?: OpenIntent['isKeyTaken']
  },
): Recovery {
  return {
    inDoubt,
    since,
    isOurs,
    confirmProcessed: (last) => confirmProcessed(options, call, { isOurs, isKeyTaken }, last),
    checkTarget: (last) => checkTarget(options, call, before, last),
  }
}
