import { EXIT, PayError } from '../../errors.ts'

/**
 * The error for a record of an earlier run that can't be right. Nothing is sent: a run that believes it could leave out rows,
 * or do them twice. `why` completes "FILE …".
 */
export const runDamaged = (path: string, why: string, hint: string): PayError =>
  new PayError('run_damaged', EXIT.conflict, `What this run remembers is damaged: ${path} ${why}`, {
    outcome: 'none',
    retryable: false,
    hint,
  })
