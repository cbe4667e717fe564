/** The names of the files in `open/`. */

/** The stages of a record. */
type Stage =
  /** Its target is being claimed. Nothing is sent before it becomes `json`. */
  | 'claim'
  | 'json'
  /** It is being set aside. Until that is finished it still blocks others. */
  | 'aside'

export interface OpenEntry {
  /** The file's name. */
  readonly file: string
  /** The lock name of the write's target. */
  readonly target: string
  /** The record's id; for a file that `pay` did not name, the file's name. */
  readonly name: string
  readonly isClaim: boolean
}

const NAMED = /^([^.]+)\.([\w-]+)\.(claim|json|aside)$/
const MISNAMED = /^([^.]*)((?:\.[^.]*)*)\.(?:json|aside)$/

/** The file name of a record. No two records ever share one, so an operation on a file can't affect another record. */
export const fileOf = ({ target, name }: Pick<OpenEntry, 'target' | 'name'>, stage: Stage): string =>
  `${target}.${name}.${stage}`

/** The file that says who made the nth takeover. */
export const takeoverFileOf = (
  { target, name }: Pick<OpenEntry, 'target' | 'name'>,
  generation: number,
): string => `${target}.${name}.${generation}`

/** undefined for a file that is not a record. */
export function openEntryOf(file: string): OpenEntry | undefined {
  const [, target, name, stage] = NAMED.exec(file) ?? []
  if (target !== undefined && name !== undefined) return { file, target, name, isClaim: stage === 'claim' }
  const [, start, rest] = MISNAMED.exec(file) ?? []
  return start === undefined || rest === undefined
    ? undefined
    : { file, target: start, name: `${start}${rest}`, isClaim: false }
}

/** The generations of a record's takeover files, given the names in the folder. */
export const takeoversOf = (
  entry: Pick<OpenEntry, 'target' | 'name'>,
  files: readonly string[],
): number[] => {
  const prefix = `${entry.target}.${entry.name}.`
  return files.flatMap((file) => {
    const generation = file.startsWith(prefix) ? Number(file.slice(prefix.length)) : Number.NaN
    return Number.isSafeInteger(generation) ? [generation] : []
  })
}
