import { existsSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join, sep } from 'node:path'

/**
 * The file of a program that is named without a folder, by PATH. Windows would look in the current folder first, whose files may be
 * anyone's. One that isn't found is a path where nothing is.
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
