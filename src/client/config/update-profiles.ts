import { readdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type Conf from 'conf'
import { PayError, UsageError } from '../../errors.ts'
import { checkPrivateFolder, makePrivateFolder, syncPath } from '../../files/private-folder.ts'
import { putInPlace, removeFile } from '../../files/replace-file.ts'
import { fallbackOn } from '../../files/system-code.ts'
import { lockFile } from '../../store/file-lock.ts'
import { diskRemedy, faultOf } from '../../store/fault.ts'
import { accessCommand } from '../../files/shell.ts'
import type { Owner } from '../../files/private-file.ts'
import {
  CONFIG_FILE_PREFIX,
  checkProfileFile,
  emptyProfileFile,
  parseProfileFile,
  profilePath,
  reading,
  restrictConfigFolder,
  serializeProfiles,
} from './read-profiles.ts'
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
  // Before it takes the lock: others wait for that.
  const openConf = await loadConf()
  try {
    checkPrivateFolder(folder, system.uid, { corrects: false })
    makePrivateFolder(folder)
    restrictConfigFolder(folder, system)
    return await withLock(join(folder, `${CONFIG_FILE_PREFIX}lock`), system, () => {
      const path = profilePath(folder)
      const isStored = checkProfileFile(folder, system) !== undefined
      const before = isStored ? reading(path, () => openConf(path).store) : emptyProfileFile(folder)
      const after = change(before)
      return after === before ? before : replaceProfiles(folder, after, openConf)
    })
  } catch (cause) {
    const fault = faultOf(cause)
    if (cause instanceof PayError || fault === undefined) throw cause
    throw unwritableError(folder, fault, cause)
  }
}

/** Opens the file at this path with conf, which checks what it reads and writes. */
type OpenConf = (path: string) => Conf<ProfileFile>

/**
 * Replaces the profile file. conf writes a file beside it, which takes its place once it is read back whole: on a disk that
 * is nearly full, conf stores a part of the text without an error, and with SNAP set it overwrites the file in place.
 */
function replaceProfiles(folder: string, profiles: ProfileFile, openConf: OpenConf): ProfileFile {
  const { path } = profiles
  // It may be a symbolic link.
  const target = fallbackOn('ENOENT', path, () => realpathSync(path))
  removeLeftovers(target)
  const next = `${target}.next`
  try {
    const conf = openConf(next)
    conf.store = profiles
    const written = readBack(conf, folder)
    syncPath(next)
    putInPlace(next, target)
    return { ...written, path }
  } finally {
    removeFile(next)
  }
}

function readBack(conf: Conf<ProfileFile>, folder: string): ProfileFile {
  try {
    return conf.store
  } catch (cause) {
    throw unwritableError(folder, 'ENOSPC', cause)
  }
}

const unwritableError = (folder: string, fault: string, cause: unknown): UsageError =>
  new UsageError(`The profiles in ${folder} could not be written (${fault})`, {
    code: 'config_not_writable',
    hint: unwritableHint(fault, folder),
    cause,
  })

/** What to do about a folder that could not be written for this reason of the system's. */
export function unwritableHint(code: string, folder: string): string {
  if (code === 'EIO') return 'The disk may be failing. Check it before you go on.'
  const command = accessCommand(folder, 'u+rwx')
  const how = command === undefined ? '' : ` (${command})`
  return (
    diskRemedy(code, 'PAY_CONFIG_DIR') ?? `Make the folder writable${how}, or set PAY_CONFIG_DIR to another.`
  )
}

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

/** Loads conf. As it loads, it asks for the home folder, which it doesn't use here. In a container, Node may find none. */
async function loadConf(): Promise<OpenConf> {
  const { HOME } = process.env
  if (HOME === undefined) process.env['HOME'] = '/'
  try {
    const { default: Conf } = await import('conf')
    return (path) =>
      new Conf<ProfileFile>({
        cwd: dirname(path),
        configName: basename(path),
        fileExtension: '',
        configFileMode: 0o600,
        deserialize: (text) => parseProfileFile(path, text),
        serialize: serializeProfiles,
      })
  } finally {
    if (HOME === undefined) delete process.env['HOME']
  }
}

/** Removes the temporary files of a killed process: they contain keys. */
function removeLeftovers(path: string): void {
  const [ours, confs] = [`${basename(path)}.next`, `${basename(path)}.tmp-`]
  for (const name of readdirSync(dirname(path)))
    if (name.startsWith(ours) || name.startsWith(confs)) removeFile(join(dirname(path), name))
}
