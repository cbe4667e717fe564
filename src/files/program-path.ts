import { existsSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join, sep } from 'node:path'

/**
 * The path of a program to start. On Windows, looks up a bare name in PATH: Windows itself looks in the current folder first, where
 * anyone may have put a file. If no folder has it, returns a path that doesn't exist.
 */
export function programPath(name: string): string {
  if (sep !== '\\' || basename(name) !== name) return name
  const folders = (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => folder.replaceAll('"', ''))
    .filter((folder) => isAbsolute(folder))
  const paths = folders.flatMap((folder) =>
    ['', '.com', '.exe'].map((ending) => join(folder, `${name}${ending}`)),
  )
  return paths.find((path) => existsSync(path)) ?? paths[0] ?? join(sep, name)
}
