import { closeSync, constants, fsyncSync, ftruncateSync, openSync, readSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Encode } from '../read/decode.ts'
import type { Rejects } from '../read/rejects.ts'
import { syncPath } from '../../files/private-folder.ts'
import { usingFile } from '../file-errors.ts'
import { destinationAt } from './output-files.ts'
import type { OutputFile } from './output-files.ts'
import { openRegular, writeWhole } from './state-file.ts'

/** The files that a job writes for its user; undefined for one that isn't wanted. */
export interface OutputPaths {
  readonly results: string | undefined
  readonly rejects: string | undefined
}

/** The beginnings of these files, and the encoding of the rejects. */
export interface OutputForms {
  readonly resultsHeader: string
  readonly rejects: Rejects
}

/** The files, for a check before anything is sent. */
export const outputFilesOf = (
  { results, rejects: path }: OutputPaths,
  { resultsHeader, rejects: { header, isSuch } }: OutputForms,
): readonly OutputFile[] => [
  ...(results === undefined ? [] : [{ flag: '--results', path: results, header: resultsHeader } as const]),
  ...(path === undefined ? [] : [{ flag: '--rejects', path, header, isSuch } as const]),
]

/** The lines of rows in the results, and in the rejects; undefined where they have none. */
export interface OutputLines {
  readonly result: string | undefined
  readonly reject: string | undefined
}

/**
 * Writes results and rejects from their beginning. Every line is durable when it returns.
 * @throws {UsageError} `unwritable_file`
 */
export async function writeOutputs(
  { results, rejects }: OutputPaths,
  forms: OutputForms,
  rows: AsyncIterable<OutputLines> | Iterable<OutputLines>,
): Promise<void> {
  const files: RowFile[] = []
  const open = (path: string | undefined, header: string, encode?: Encode): RowFile | undefined => {
    if (path === undefined) return undefined
    const file = openRowFile(path, header, encode)
    files.push(file)
    return file
  }
  try {
    const resultsFile = open(results, forms.resultsHeader)
    const rejectsFile = open(rejects, forms.rejects.header, forms.rejects.encode)
    if (files.length > 0)
      for await (const { result, reject } of rows) {
        if (result !== undefined) resultsFile?.add(result)
        if (reject !== undefined) rejectsFile?.add(reject)
      }
    for (const file of files) file.sync()
  } finally {
    for (const file of files) file.close()
  }
}

/** An output file, written from its beginning. */
export interface RowFile {
  readonly add: (line: string) => void
  /** Makes every line durable. */
  readonly sync: () => void
  readonly close: () => void
}

const FLUSH_BYTES = 64 * 1024

/** Begins a file, in the place of the one that is there. `encode`: the encoding of the file, if it isn't UTF-8. */
export function openRowFile(
  path: string,
  header: string,
  encode: Encode = (text) => Buffer.from(text),
): RowFile {
  const { handle, isRegular } = openFile(path, encode(header))
  let pending = isRegular ? '' : header
  let failure: unknown
  const flush = () => {
    // Continuing after a failed write would leave a gap in the file.
    if (failure !== undefined) throw failure
    if (pending === '') return
    const text = pending
    pending = ''
    try {
      usingFile(path, 'written', () => void writeWhole(handle, encode(text)))
    } catch (error) {
      failure = error
      throw error
    }
  }
  return {
    add: (line) => {
      pending += line
      if (pending.length >= FLUSH_BYTES) flush()
    },
    sync: () => {
      flush()
      if (isRegular) fsyncSync(handle)
    },
    close: () => {
      try {
        if (failure === undefined) flush()
      } finally {
        closeSync(handle)
      }
    },
  }
}

function openFile(path: string, header: Buffer) {
  return usingFile(path, 'written', () =>
    destinationAt(path) === 'stream'
      ? { handle: openSync(path, 'w'), isRegular: false }
      : { handle: openDurably(path, header), isRegular: true },
  )
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants
/** Flags as for files that pay alone writes: in a folder of others, a link could lead anywhere. */
const SAFELY = O_NOFOLLOW | O_NONBLOCK
const APPEND = O_RDWR | O_APPEND | O_CREAT | SAFELY

/** Finds out before anything is sent whether a file can be written. Changes no file. */
export function refuseUnwritable(path: string): void {
  usingFile(path, 'written', () => {
    if (destinationAt(path) !== 'stream') closeSync(openRegular(path, APPEND))
  })
}

/**
 * Makes the file's name and header durable. Without its header, a file that a power cut has left would look like one that
 * another program has written, and would not be replaced.
 */
function openDurably(path: string, header: Buffer): number {
  const handle = openRegular(path, APPEND)
  try {
    const head = Buffer.alloc(header.length)
    readSync(handle, head, 0, head.length, 0)
    if (header.length > 0 && head.equals(header)) ftruncateSync(handle, head.length)
    else {
      ftruncateSync(handle)
      writeWhole(handle, header)
      fsyncSync(handle)
    }
    syncPath(dirname(realpathSync(path)))
    return handle
  } catch (error) {
    closeSync(handle)
    throw error
  }
}
