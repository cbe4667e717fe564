import { findKey } from '../gate.ts'
import { Problem } from '../problem.ts'

/** The key that may do everything may do this too. */
const CONTROL_KEY = 'sandbox_all'

export function checkControlKey(key: string | undefined): void {
  if (findKey(key).key !== CONTROL_KEY)
    throw new Problem('Forbidden', `The controls of the sandbox take the key ${CONTROL_KEY} alone.`)
}
