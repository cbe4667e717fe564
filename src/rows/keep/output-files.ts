import { closeSync, constants, lstatSync, readSync, statSync } from 'node:fs'
import { resolve, sep } from 'node:path'
import { UsageError } from '../../errors.ts'
import { MAX_RECORD_BYTES } from '../read/csv.ts'
import { IS_FOLDER, IS_LINK, NOT_REGULAR, unusableFile, usingFile } from '../file-errors.ts'
import { oneNameOf } from './real-path.ts'
import { openRegular } from './state-file.ts'

/** A file of results or rejects, or of a comparison, that a command is to write. */
export interface OutputFile {
  readonly flag: '--results' | '--rejects' | '--out' | '--exceptions'
  /** The path as typed. */
  readonly path: string
  /** The beginning of the file as the command writes it. */
  readonly header: string
  /** Whether a file that begins like this is such a file; by default, if it begins with `header`. */
  readonly isSuch?: (head: Buffer) => boolean
}

/**
 * Refuses to write where pay keeps its own files, whatever links lead there.
 * @throws {UsageError} `unwritable_file`
 */
export function refuseOwnFolders(
  files: Readonly<Record<string, string | undefined>>,
  { cwd, configFolder, stateFolder }: Readonly<Record<'cwd' | 'configFolder' | 'stateFolder', string>>,
): void {
  const own = [configFolder, stateFolder].map((folder) => `${oneNameOf(folder)}${sep}`)
  for (const [flag, path] of Object.entries(files))
    if (path !== undefined && own.some((folder) => oneNameOf(resolve(cwd, path)).startsWith(folder)))
      throw refused(`${flag} ${path} is in a folder where pay keeps its own files`, 'Name a file elsewhere.')
}

/**
 * Refuses to replace a file that isn't such a file. An empty one may be replaced.
 * @throws {UsageError} `unwritable_file`
 */
export function refuseOtherContent(files: readonly OutputFile[], cwd: string): void {
  for (const { flag, path, header, isSuch = () => false } of files) {
    const head = headAt(resolve(cwd, path))
    if (head.length === 0 || isSuch(head) || isTorn(head, header)) continue
    if (header !== '' && beginsWith(head.toString(), header)) continue
    throw refused(
      `${path} already exists, and ${flag} has not written it`,
      `Name another file for ${flag}, or remove this one.`,
    )
  }
}

/** Whether a power cut has torn the header: before it is synced, one may leave a part of it, and zeros in place of the rest. */
function isTorn(head: Buffer, header: string): boolean {
  const hole = head.indexOf(0)
  const written = head.subarray(0, hole === -1 ? head.length : hole)
  return (
    head.length === Buffer.byteLength(header) &&
    header.startsWith(written.toString()) &&
    head.subarray(written.length).every((byte) => byte === 0)
  )
}

/** Whether a file begins with the header, which a crash may have cut short. */
const beginsWith = (head: string, header: string): boolean =>
  head.startsWith(header) || header.startsWith(head)

const refused = (message: string, hint: string): UsageError =>
  new UsageError(message, { code: 'unwritable_file', outcome: 'none', hint })

/**
 * Finds out what is at a path to write to: nothing, a regular file, or something that is written to and not replaced: a
 * device, or the open pipe behind `/dev/stdout` and `>(command)`.
 * @throws {UsageError} `unwritable_file` for anything else, such as a symbolic link
 */
export function destinationAt(path: string): 'free' | 'file' | 'stream' {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 'free'
  if (stats.isFile()) return 'file'
  const isLink = stats.isSymbolicLink()
  const target = isLink ? statSync(path, { throwIfNoEntry: false }) : stats
  if (target?.isCharacterDevice() === true || (isLink && target?.isFIFO() === true)) return 'stream'
  throw unusableFile(path, 'written', isLink ? IS_LINK : stats.isDirectory() ? IS_FOLDER : NOT_REGULAR)
}

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants

/** The first bytes of a regular file; none if there is no such file. */
const headAt = (path: string): Buffer =>
  usingFile(path, 'written', () => {
    if (destinationAt(path) !== 'file') return Buffer.alloc(0)
    const handle = openRegular(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      const head = Buffer.alloc(MAX_RECORD_BYTES)
      return head.subarray(0, readSync(handle, head, 0, head.length, 0))
    } finally {
      closeSync(handle)
    }
  })
