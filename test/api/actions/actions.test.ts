import { describe, expect, test } from 'vitest'
import { ACTION_NAMES, actionOf, ruledOut } from '../../../src/api/actions/actions.ts'
import type { ActionName } from '../../../src/api/actions/actions.ts'
import { FACTS } from '../../../src/api/facts.ts'
import { PAYMENT_STATES, knownStatus, stateOf } from '../../../src/api/payment-states.ts'
import { PAYMENT_STATUSES } from '../../../src/api/sets.ts'
import { nextStatus } from '../../../src/sandbox/domain/payment/states.ts'
import type { PaymentEvent } from '../../../src/sandbox/domain/payment/states.ts'

/** The sandbox has a state machine of its own: the two can't be wrong together. */
const EVENTS: Readonly<Record<ActionName, PaymentEvent>> = {
  capture: 'all captured',
  refund: 'refunded',
  cancel: 'cancelled',
  adjust: 'adjusted',
  authorize: 'manually approved',
  resume: 'challenge passed',
}

const EVERY = ACTION_NAMES.flatMap((name) => PAYMENT_STATUSES.map((status) => [name, status] as const))

describe('an action', () => {
  test.each(EVERY)('%s is allowed in %s exactly if the sandbox allows it', (name, status) => {
    expect(ruledOut(name, status) === undefined).toBe(nextStatus(status, EVENTS[name]) !== undefined)
  })

  test.each(EVERY)('%s names only actions that %s allows instead', (name, status) => {
    const others = ruledOut(name, status)?.instead ?? []
    expect(
      others.filter((other) => !ACTION_NAMES.some((one) => one === other && !ruledOut(one, status))),
    ).toEqual([])
  })

  const MONEY = EVERY.filter(
    ([name, status]) =>
      ['capture', 'refund', 'cancel'].includes(name) && ruledOut(name, status) !== undefined,
  )

  test.each(MONEY)('%s says what to do, or that there is nothing to do, in %s', (name, status) => {
    expect(ruledOut(name, status)?.hint).toMatch(/^[A-Z].*\.$/)
  })

  test.each(ACTION_NAMES)('%s has the command and the id that its operation has', (name) => {
    const { operation } = actionOf(name)
    expect(FACTS[operation].command).toBe(`payment ${name}`)
    expect(operation).toBe(`payment.${name}`)
  })
})

describe('a status', () => {
  test.each(PAYMENT_STATUSES)('%s says the same of captures as what the sandbox allows', (status) => {
    const { authorized, captured } = PAYMENT_STATES[status]
    const takesCapture = nextStatus(status, 'all captured') !== undefined
    expect(authorized === 'yes' && captured !== 'all').toBe(takesCapture)
    expect(captured !== 'none').toBe(nextStatus(status, 'refunded') !== undefined)
  })

  test.each([undefined, null, 3, 'toString', 'REVERSED'])('%s is unknown', (status) => {
    expect([knownStatus(status), stateOf(status)]).toEqual([undefined, undefined])
  })
})
