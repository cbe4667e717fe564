import { UsageError } from '../../errors.ts'

/** The input cannot be read beyond some point. The rows before it are not affected. */
export const unusableFile = (message: string, hint?: string): UsageError =>
  new UsageError(message, { code: 'unusable_file', hint })
