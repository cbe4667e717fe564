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
    fence,
    isLeased,
    isKeyTaken,
  }: {
    readonly before: Snapshot | undefined
    readonly inDoubt: boolean
    readonly since?: Date | undefined
    readonly fence: OpenIntent['fence']
    readonly isLeased: OpenIntent['isLeased']
    readonly isKeyTaken?: OpenIntent['isKeyTaken']
  },
): Recovery {
  return {
    inDoubt,
    since,
    fence,
    isLeased,
    confirmProcessed: (last) => confirmProcessed(options, call, { fence, isLeased, isKeyTaken }, last),
    checkTarget: (last) => checkTarget(options, call, before, last),
  }
}
