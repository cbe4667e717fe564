import { readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type ConfStore from 'conf'
import { PayError, UsageError } from '../errors.ts'
import { guardFolder, makePrivateFolder, syncPath } from '../private-folder.ts'
import { withLock } from './lock.ts'
import type { LockTools } from './lock.ts'
import { OURS, closeOwnFolder } from './own-folder.ts'
import { systemCode } from '../system-code.ts'
import { shellWord } from '../shell-word.ts'
import type { Owner } from './private-file.ts'
import { parseProfileFile, readProfiles, storedFile } from './read.ts'
import type { ProfileFile } from './read.ts'

/** Each writer has its own, so that one that was held up cannot spoil another's. */
const NEXT = `${OURS}next-`

type System = Owner & LockTools

/**
 * Changes the stored profiles: what `change` answers replaces them, in one step and for good. It is given what is
 * stored at that moment, while no other process can change it. Answering the same file writes nothing.
 */
export async function updateProfiles(
  folder: string,
  change: (file: ProfileFile) => ProfileFile,
  system: System,
): Promise<ProfileFile> {
  // conf takes 11 to 26 ms to load, so it is loaded by the commands that write, and before the lock is taken.
  const { default: Conf } = await import('conf')
  try {
    makeFolder(folder, system)
    return await withLock(join(folder, `${OURS}lock`), system, (confirm) => {
      const before = readProfiles(folder, system)
      const after = change(before)
      if (after === before) return before
      const path = realPath(before.path)
      const stored = storedFile(after)
      const readBack = parseProfileFile(before.path, JSON.stringify(stored))
      replace(path, stored, { Conf, confirm, system })
      return readBack
    })
  } catch (cause) {
    const code = systemCode(cause)
    if (cause instanceof PayError || code === undefined) throw cause
    throw new UsageError(`The profiles in ${folder} could not be written (${code}).`, {
      code: 'config_not_writable',
      hint: `Make the folder writable (chmod u+rwx ${shellWord(folder)}), or name another in PAY_CONFIG_DIR.`,
      cause,
    })
  }
}

/** conf writes beside the file, not over it: in a snap, or across devices, it would neither replace it in one step nor sync it. */
function replace(
  path: string,
  stored: Record<string, unknown>,
  {
    Conf,
    confirm,
    system,
  }: { readonly Conf: typeof ConfStore; readonly confirm: () => void; readonly system: System },
): void {
  const folder = dirname(path)
  removeLeftovers(folder)
  const next = new Conf({
    cwd: folder,
    configName: `${NEXT}${system.newId()}`,
    configFileMode: 0o600,
    serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
  })
  try {
    next.store = stored
    syncPath(next.path)
    confirm()
    renameSync(next.path, path)
  } finally {
    rmSync(next.path, { force: true })
  }
  syncPath(folder)
}

function makeFolder(folder: string, owner: Owner): void {
  guardFolder(folder, owner.uid, { corrects: false })
  makePrivateFolder(folder)
  closeOwnFolder(folder, owner)
}

/** A profile file may be a link to where someone keeps their settings. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

/** What a process that was killed while writing left behind holds keys. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(NEXT)) rmSync(join(folder, name), { force: true })
  }
}
