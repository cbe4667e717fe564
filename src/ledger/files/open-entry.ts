/** The names of the files in `open/`. */

/** How far a record has come. */
type Stage =
  /** It is about to be claimed: nothing has been sent for it, and nothing will be before it is `json`. */
  | 'claim'
  | 'json'
  /** A person sets it aside: until that is done it is in the way of others like any record. */
  | 'aside'

export interface OpenEntry {
  /** The file's name. */
  readonly file: string
  /** Stands for what the write acts on. */
  readonly target: string
  /** The id of the record; of a file that `pay` has not named so, its name. */
  readonly name: string
  readonly isClaim: boolean
}

const NAMED = /^([^.]+)\.([\w-]+)\.(claim|json|aside)$/
const MISNAMED = /^([^.]*)(.*)\.(?:json|aside)$/

/**
 * No two records ever have the same file name: what is done to a file by its name is never done to another record's.
 */
export const fileOf = ({ target, name }: Pick<OpenEntry, 'target' | 'name'>, stage: Stage): string =>
  `${target}.${name}.${stage}`

/** Who took it over for the how-manieth time. */
export const takeoverFileOf = (
  { target, name }: Pick<OpenEntry, 'target' | 'name'>,
  generation: number,
): string => `${target}.${name}.${generation}`

/** undefined for what is no record. */
export function openEntryOf(file: string): OpenEntry | undefined {
  const [, target, name, stage] = NAMED.exec(file) ?? []
  if (target !== undefined && name !== undefined) return { file, target, name, isClaim: stage === 'claim' }
  const [, start, rest] = MISNAMED.exec(file) ?? []
  return start === undefined || rest === undefined
    ? undefined
    : { file, target: start, name: `${start}${rest}`, isClaim: false }
}

/** The turns at a record, of the names in its folder. */
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
