import { readdirSync, realpathSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PayError, UsageError } from '../../errors.ts'
import { checkPrivateFolder, makePrivateFolder, syncPath } from '../../files/private-folder.ts'
import { lockFile } from '../../store/file-lock.ts'
import { faultOf } from '../../store/fault.ts'
import { CONFIG_FILE_PREFIX, restrictConfigFolder } from './restrict-folder.ts'
import { shellWord } from '../../text/shell-word.ts'
import type { Owner } from './private-file.ts'
import { parseProfileFile, readProfiles, serializeProfiles } from './read-profiles.ts'
import type { ProfileFile } from './read-profiles.ts'

interface System extends Owner {
  /** Throws when waiting for another process should end. */
  readonly sleep: (ms: number) => Promise<void>
}

/**
 * Replaces the stored profiles with the result of `change`, atomically and synced to disk. `change` gets the stored
 * profiles while no other process can change them; returning the same object writes nothing.
 * @throws {UsageError} if the file is damaged, locked or not writable
 */
export async function updateProfiles(
  folder: string,
  change: (file: ProfileFile) => ProfileFile,
  system: System,
): Promise<ProfileFile> {
  // conf takes 11 to 26 ms to load: only commands that write load it, before they take the lock.
  const Conf = await loadConf()
  try {
    makeFolder(folder, system)
    return await withLock(join(folder, `${CONFIG_FILE_PREFIX}lock`), system, () => {
      const before = readProfiles(folder, system)
      const after = change(before)
      if (after === before) return before
      const stored = serializeProfiles(after)
      const readBack = parseProfileFile(before.path, JSON.stringify(stored))
      const path = realPath(before.path)
      removeLeftovers(path)
      const conf = new Conf({
        cwd: folder,
        configName: basename(before.path, '.json'),
        configFileMode: 0o600,
        serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
        // conf only writes. The file is already read, and conf could not parse a byte order mark.
        deserialize: () => ({}),
      })
      withoutSnapVariable(() => {
        conf.store = stored
      })
      // conf syncs the file but not its folder entry.
      syncPath(dirname(path))
      return readBack
    })
  } catch (cause) {
    const fault = faultOf(cause)
    if (cause instanceof PayError || fault === undefined) throw cause
    throw new UsageError(`The profiles in ${folder} could not be written (${fault})`, {
      code: 'config_not_writable',
      hint: unwritableHint(fault, folder),
      cause,
    })
  }
}

const HINTS: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full: free some space, or set PAY_CONFIG_DIR to another folder.',
  EDQUOT: 'Your disk quota is used up: free some space, or set PAY_CONFIG_DIR to another folder.',
  EROFS: 'The disk is read-only: set PAY_CONFIG_DIR to another folder.',
  EIO: 'The disk may be failing. Check it before you go on.',
}

/** What to do about a folder that could not be written for this reason of the system's. */
export const unwritableHint = (code: string, folder: string): string =>
  HINTS[code] ??
  `Make the folder writable (chmod u+rwx ${shellWord(folder)}), or set PAY_CONFIG_DIR to another.`

const POLL_MS = 25
/** Work under the lock takes milliseconds. */
const GIVE_UP_MS = 20_000

/** Runs `work` while no other process runs work under the same lock file. */
async function withLock<T>(path: string, { sleep }: System, work: () => T): Promise<T> {
  for (let waitedMs = 0; ; waitedMs += POLL_MS) {
    const release = lockFile(path)
    try {
      if (release !== undefined) return work()
    } finally {
      release?.()
    }
    if (waitedMs >= GIVE_UP_MS)
      throw new UsageError(`Another process is changing the profiles: ${path} is still locked`, {
        code: 'config_locked',
        hint: 'Wait for it, or end it.',
      })
    await sleep(POLL_MS)
  }
}

/** As it loads, conf asks for the home folder, which it doesn't use here. In a container, Node may find none. */
async function loadConf() {
  const { HOME } = process.env
  if (HOME === undefined) process.env['HOME'] = '/'
  try {
    const { default: Conf } = await import('conf')
    return Conf
  } finally {
    if (HOME === undefined) delete process.env['HOME']
  }
}

/** With SNAP set, as in the terminal of a snap-packaged editor, conf overwrites the file in place: a crash would truncate it. */
function withoutSnapVariable(write: () => void): void {
  const { SNAP } = process.env
  delete process.env['SNAP']
  try {
    write()
  } finally {
    if (SNAP !== undefined) process.env['SNAP'] = SNAP
  }
}

function makeFolder(folder: string, owner: Owner): void {
  checkPrivateFolder(folder, owner.uid, { corrects: false })
  makePrivateFolder(folder)
  restrictConfigFolder(folder, owner)
}

/** The profile file may be a symbolic link. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** Removes conf's temporary files of a killed process: they contain keys. */
function removeLeftovers(path: string): void {
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(`${basename(path)}.tmp-`)) rmSync(join(dirname(path), name), { force: true })
}
