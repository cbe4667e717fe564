import { noSuchOperation } from './ledger-errors.ts'
import type { Disk } from '../disk/disk.ts'
import { OpenFiles } from './open-files.ts'

/**
 * Renames a damaged file so that it blocks nothing but can still be read. Returns its new path.
 * @throws {PayError} when there is no damaged file of that name, for example because its owner has just rewritten it
 */
export async function setAside(
  { disk, folder }: { readonly disk: Disk; readonly folder: string },
  name: string,
): Promise<string> {
  const files = new OpenFiles(disk, folder)
  const at = (file: string): string => `${folder}/${file}`
  const named = await files.all((entry) => entry.name === name)
  const file = named.find(({ record }) => record === undefined)
  if (file === undefined) throw noSuchOperation(false, 'open')
  const path = at(file.file)
  const aside = at(`${file.file.replace(/\.(?:json|claim|aside)$/, '')}.aside`)
  const whole = aside.replace(/\.aside$/, '.json')
  if (path !== aside) await disk.rename(path, aside)
  // No process rewrites a file with this name, and it still blocks other writes.
  const now = await files.read({ ...file, file: aside.slice(folder.length + 1) })
  if (now?.record !== undefined) {
    if (await disk.link(aside, whole)) await disk.remove(aside)
    throw noSuchOperation(false, 'open')
  }
  const to = await moveToFreeName(disk, aside, (suffix) => `${whole}.damaged${suffix}`)
  await disk.sync(folder)
  return to
}

/** Renames to the first free name, never replacing a file. `named` is called with an empty suffix, then `-2`, `-3` and so on. */
async function moveToFreeName(disk: Disk, from: string, named: (suffix: string) => string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const to = named(number === 1 ? '' : `-${number}`)
    if (!(await disk.link(from, to))) continue
    await disk.remove(from)
    return to
  }
}
