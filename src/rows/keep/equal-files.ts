import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { UsageError } from '../../errors.ts'
import { identityOf } from '../../files/file-identity.ts'
import { usingFile } from '../file-errors.ts'
import { oneNameOf } from './real-path.ts'

/**
 * Refuses the same file for two purposes, such as the input and the results, which would overwrite each other.
 * @throws {UsageError} `two_sources`; `unreadable_file` for a path that the system refuses
 */
export function refuseEqualFiles(
  named: readonly (readonly [what: string, path: string | undefined])[],
  cwd: string,
): void {
  const seen = new Map<string, string>()
  for (const [what, name] of named) {
    if (name === undefined) continue
    const file = usingFile(name, 'read', () => fileAt(resolve(cwd, name)))
    const before = seen.get(file)
    if (before !== undefined)
      throw new UsageError(`${before} and ${what} are the same file: ${name}`, {
        code: 'two_sources',
        outcome: 'none',
        hint: 'Name a different file for each.',
      })
    seen.set(file, what)
  }
}

/** What all names of a file have in common. */
function fileAt(path: string): string {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true
  return (isFile ? identityOf(path) : undefined) ?? oneNameOf(path)
}
