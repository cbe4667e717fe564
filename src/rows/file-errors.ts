import { PayError, UsageError } from '../errors.ts'
import { systemCode } from '../files/system-code.ts'

type Use = 'read' | 'written'

interface Problem {
  /** The words that complete "PATH cannot be written: …". */
  readonly why: string
  readonly hint?: string
}

export const unusableFile = (path: string, use: Use, { why, hint }: Problem, cause?: unknown): UsageError =>
  new UsageError(`${path} cannot be ${use}: ${why}`, {
    code: use === 'read' ? 'unreadable_file' : 'unwritable_file',
    // A run that has sent rows reports its own outcome.
    outcome: 'none',
    hint,
    cause,
  })

/**
 * Does something with a file.
 * @throws {UsageError} `unreadable_file` or `unwritable_file`, in place of an error of the system
 */
export function usingFile<T>(path: string, use: Use, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const code = systemCode(cause)
    if (cause instanceof PayError || code === undefined) throw cause
    throw unusableBecause(path, use, code, cause)
  }
}

/** The error for a code of the system, such as ENOSPC. */
export const unusableBecause = (path: string, use: Use, code: string, cause: unknown): UsageError =>
  unusableFile(
    path,
    use,
    use === 'read' && code === 'ENOENT' ? NO_FILE : (PROBLEMS[code] ?? { why: code }),
    cause,
  )

export const IS_LINK: Problem = {
  why: 'it is a symbolic link',
  hint: 'Use the file itself, not a link to it.',
}
export const IS_FOLDER: Problem = { why: 'it is a folder' }
export const NOT_REGULAR: Problem = {
  why: 'it is not a regular file',
  hint: 'Remove it, or use another file.',
}

const FREE_SPACE = 'Free some space, then run the same command again.'

const NO_FILE: Problem = { why: 'there is no such file' }

const PROBLEMS: Readonly<Record<string, Problem>> = {
  ENOENT: { why: 'there is no such folder' },
  ENOSPC: { why: 'the disk is full', hint: FREE_SPACE },
  EDQUOT: { why: 'your disk quota is used up', hint: FREE_SPACE },
  EISDIR: IS_FOLDER,
  ELOOP: IS_LINK,
  ENXIO: NOT_REGULAR,
  EACCES: { why: 'permission denied' },
  ENOTDIR: { why: 'its folder is a file' },
  EROFS: { why: 'the disk is read-only' },
}
