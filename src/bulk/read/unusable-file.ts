import { UsageError } from '../../errors.ts'

/** The input cannot be read on from some place. What stands before it is not lost. */
export const unusableFile = (message: string, hint?: string): UsageError =>
  new UsageError(message, { code: 'unusable_file', hint })
