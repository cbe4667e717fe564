import { UsageError } from '../../errors.ts'
import type { Faults } from '../store/faults.ts'
import type { Fault, NewFault } from './fault.ts'

/** Every request is held against all of them. */
export const MOST_FAULTS = 100

/** @throws {UsageError} where there are as many as there may be */
export function addFault(faults: Faults, fault: NewFault): Fault {
  if (faults.list().length < MOST_FAULTS) return faults.add(fault)
  throw new UsageError(`There are ${MOST_FAULTS} faults already, and no more are taken`, {
    code: 'too_many_faults',
    hint: 'Clear them first: pay sandbox faults clear',
    outcome: 'none',
  })
}
