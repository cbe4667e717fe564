import { UsageError } from '../../errors.ts'

/** The error for an input that can't be read from some point on. The rows before it are not affected. */
export const unusableFile = (message: string, hint?: string): UsageError =>
  new UsageError(message, { code: 'unusable_file', hint })
