import { hash } from 'node:crypto'
import { closeSync, constants, ftruncateSync, readSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { lazySchema, z } from '../api/schema.ts'
import type { Shape } from '../api/schema.ts'
import type { CommandInput } from '../cli/command/input.ts'
import type { Result } from '../cli/command/result.ts'
import type { CommandRun, CommandSpec } from '../cli/command/spec.ts'
import { identityOf as accountIdentity } from '../client/config/resolve-account.ts'
import { EXIT, PayError, UsageError, interruptedBy, isInterruption } from '../errors.ts'
import { checkPrivateFolder, makePrivateFolder, syncPath } from '../files/private-folder.ts'
import { removeFile, replaceFile } from '../files/replace-file.ts'
import { sha256 } from '../files/sha256.ts'
import { jsonOrUndefined } from '../json/json.ts'
import { NOT_REGULAR, unusableFile, usingFile } from '../rows/file-errors.ts'
import { lockOutputs } from '../rows/keep/lock-file.ts'
import { destinationAt, refuseOwnFolders } from '../rows/keep/output-files.ts'
import { realPathOf } from '../rows/keep/real-path.ts'
import { openRegular, textAt, writeWhole } from '../rows/keep/state-file.ts'
import { groupThousands, pluralize } from '../text/words.ts'
import type { ListQuery } from '../views/search/filters.ts'
import type { ListOperation, Page } from './find/pages.ts'
import { LIST_FILTERS } from './list-filters.ts'
import { filterByRefunds } from './refund-filter.ts'
import type { RefundFilter } from '../api/payment-states.ts'
import { pageTexts, readListPages } from './list-pages.ts'

interface ListToWrite {
  /** The path as typed. */
  readonly out: string
  readonly format: 'ndjson' | 'csv'
  readonly isCompressed: boolean
  readonly input: CommandInput
  readonly refunds: RefundFilter | undefined
  readonly operation: ListOperation
  readonly query: ListQuery
  readonly present: NonNullable<CommandSpec['present']>
}

/** The first line of a run file. */
const runHead = lazySchema(() =>
  z.object({
    /** A hash of what is listed: another list can't go on here. */
    list: z.string(),
    /** The query of the first page. Spans such as `7d` count from then. */
    query: z.record(z.string(), z.string()),
    began: z.string(),
  }),
)

/** A page that is written. Each is a line of the run file. */
const writtenPage = lazySchema(() =>
  z.object({
    bytes: z.int().check(z.minimum(0)),
    /** A hash of these bytes. */
    hash: z.string(),
    /** A hash of the entries, as {@link Page.content}. */
    content: z.string(),
    rows: z.int().check(z.minimum(0)),
    /** The cursor of the next page; null after the last one. */
    next: z.nullable(z.string()),
    at: z.string(),
  }),
)

type RunHead = Shape<typeof runHead>
type WrittenPage = Shape<typeof writtenPage>

interface Run {
  readonly head: RunHead
  readonly pages: WrittenPage[]
}

/** Writes a whole list to a file. If an earlier run of the same command did not finish, continues after its last whole page. */
export async function writeList(invocation: CommandRun, list: ListToWrite): Promise<Result> {
  const { context, note } = invocation
  const { out } = list
  refuseOwnFolders({ '--out': out }, context)
  const path = resolve(context.cwd, out)
  const account = await invocation.account()
  const id = sha256(
    JSON.stringify([
      list.operation.id,
      account.baseUrl.value,
      account.apiVersion.value,
      ...accountIdentity(account),
      list.format,
      list.isCompressed,
      [...Object.keys(LIST_FILTERS), 'refunds'].map((name) => list.input.flags[name] ?? null),
    ]),
  )
  const folder = join(context.stateFolder, 'lists')
  for (const each of [context.stateFolder, folder]) checkPrivateFolder(each, context.uid)
  usingFile(folder, 'written', () => makePrivateFolder(folder))
  const release = lockOutputs(context.stateFolder, [path], () => beingWritten(out))
  try {
    const runPath = join(folder, `${sha256(realPathOf(path)).slice(0, 32)}.run`)
    const run = findRun({ path, out, runPath, id, replaces: list.input.flags['replace'] === true })
    if (run !== undefined) await note(resuming(run, out), 'ids')
    const written = await writePages(invocation, list, { path, runPath, id, run })
    if (wholePages(path, written)?.length !== written.pages.length) throw wasChanged(out)
    syncPath(path)
    removeFile(runPath)
    const { rows, began, ended } = summaryOf(written)
    await note(
      `${out} has the whole list: ${pluralize(groupThousands(rows), 'row')}, read from ${began} to ${ended}.`,
      'ids',
    )
    return { exitCode: EXIT.done, isList: true, render: async () => '' }
  } finally {
    release()
  }
}

const summaryOf = ({ head, pages }: Run) => ({
  rows: rowsOf(pages),
  began: head.began,
  ended: pages.at(-1)?.at ?? head.began,
})

const rowsOf = (pages: readonly WrittenPage[]): number => pages.reduce((sum, { rows }) => sum + rows, 0)

const resuming = ({ head, pages }: Run, out: string): string =>
  `Resuming after row ${groupThousands(rowsOf(pages))} of a list begun at ${head.began}. To begin again, remove ${out}.`

/** Reads the pages that are missing, and writes each before it reads the next one. */
async function writePages(
  invocation: CommandRun,
  { out, format, isCompressed, refunds, operation, query, present }: ListToWrite,
  place: {
    readonly path: string
    readonly runPath: string
    readonly id: string
    readonly run: Run | undefined
  },
): Promise<Run> {
  const { context } = invocation
  const last = place.run?.pages.at(-1)
  if (place.run !== undefined && last?.next === null) return place.run
  await context.program.keepHeapSmall?.()
  const now = () => context.now().toISOString()
  const began = now()
  const whole = readListPages(invocation, operation, place.run?.head.query ?? query, {
    after: place.run && readSoFar(place.run.pages),
  })
  const limit = Number.MAX_SAFE_INTEGER
  const pages = refunds === undefined ? whole : filterByRefunds(invocation, whole, { refunds, limit })
  const textOf = pageTexts(invocation, present, format)
  let file: ListFile | undefined
  try {
    for await (const page of pages) {
      // Replaces nothing before the service has answered.
      file ??= openList(place, { list: place.id, query, began })
      const isFirst = file.run.pages.length === 0
      const text = invocation.hideKeys(await textOf(page, { isFirst }))
      // A file of several members is read as one. With one for each page, it can be cut after any of them.
      file.add(isCompressed && text !== '' ? gzipSync(text) : Buffer.from(text), page, now())
    }
    if (file === undefined) throw new Error('a list has at least one page')
    return file.run
  } catch (error) {
    const rows = rowsOf((file?.run ?? place.run)?.pages ?? [])
    if (isInterruption(error))
      throw interruptedBy(
        context.interruption.stop,
        `Interrupted after ${pluralize(groupThousands(rows), 'row')}: ${out} is incomplete.`,
        {
          outcome: 'none',
          hint: continues(out),
        },
      )
    if (!(error instanceof PayError) || rows === 0) throw error
    const { code, exitCode, message, details } = error
    throw new PayError(code, exitCode, message, {
      ...details,
      hint: [details.hint, `${out} has ${pluralize(groupThousands(rows), 'row')}. ${continues(out)}`]
        .filter(Boolean)
        .join(' '),
      cause: error,
    })
  } finally {
    file?.close()
  }
}

const continues = (out: string): string => `The same command continues there; to begin again, remove ${out}.`

function readSoFar(pages: readonly WrittenPage[]) {
  const cursors = pages.flatMap(({ next }) => next ?? [])
  const cursor = cursors.at(-1)
  if (cursor === undefined) return undefined
  return { cursor, followed: cursors.slice(0, -1), contents: pages.map(({ content }) => content) }
}

interface ListFile {
  readonly run: Run
  readonly add: (bytes: Buffer, page: Page, at: string) => void
  readonly close: () => void
}

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants
const SAFELY = O_NOFOLLOW | O_NONBLOCK

/** Opens the file and its run file, both cut after the last page of the run. */
function openList(
  {
    path,
    runPath,
    run: earlier,
  }: { readonly path: string; readonly runPath: string; readonly run: Run | undefined },
  begun: RunHead,
): ListFile {
  const handle = usingFile(path, 'written', () => openRegular(path, O_RDWR | O_APPEND | O_CREAT | SAFELY))
  let runHandle: number | undefined
  try {
    let length = earlier?.pages.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0
    ftruncateSync(handle, length)
    if (earlier === undefined) syncPath(dirname(path))
    const run = earlier ?? { head: begun, pages: [] }
    const known = [run.head, ...run.pages].map((line) => `${JSON.stringify(line)}\n`).join('')
    const log = usingFile(runPath, 'written', () => {
      replaceFile(runPath, known)
      return openRegular(runPath, O_RDWR | O_APPEND | SAFELY)
    })
    runHandle = log
    return {
      run,
      // First the rows, then the line that counts them: after a kill in between, they are cut off and read again. For the first
      // page it is the other way round: its line alone tells its rows from another file.
      add: (bytes, { entries, content, next }, at) => {
        const page = {
          bytes: bytes.length,
          hash: hash('sha256', bytes, 'base64url'),
          content,
          rows: entries.length,
          next: next ?? null,
          at,
        }
        const isFirst = run.pages.length === 0
        const count = () =>
          usingFile(runPath, 'written', () => void writeWhole(log, `${JSON.stringify(page)}\n`))
        if (isFirst) count()
        try {
          usingFile(path, 'written', () => void writeWhole(handle, bytes))
        } catch (error) {
          ftruncateSync(handle, length)
          throw error
        }
        if (!isFirst) count()
        length += bytes.length
        run.pages.push(page)
      },
      close: () => {
        closeSync(handle)
        closeSync(log)
      },
    }
  } catch (error) {
    closeSync(handle)
    if (runHandle !== undefined) closeSync(runHandle)
    throw error
  }
}

/**
 * The run to continue; undefined to begin one.
 * @throws {UsageError} if the file is something else, and is not to be replaced
 */
function findRun({
  path,
  out,
  runPath,
  id,
  replaces,
}: {
  readonly path: string
  readonly out: string
  readonly runPath: string
  readonly id: string
  readonly replaces: boolean
}): Run | undefined {
  const destination = usingFile(path, 'written', () => destinationAt(path))
  if (destination === 'stream') throw unusableFile(path, 'written', NOT_REGULAR)
  if (destination === 'free') return undefined
  const run = readRun(runPath)
  const isSame = run !== undefined && run.head.list === id
  const whole = isSame ? wholePages(path, run) : undefined
  if (run !== undefined && whole !== undefined) return { head: run.head, pages: whole }
  if (replaces || statSync(path).size === 0) return undefined
  const isOther = run !== undefined && !isSame && wholePages(path, run) !== undefined
  throw new UsageError(isOther ? `${out} is an unfinished list of something else` : `${out} already exists`, {
    code: 'unwritable_file',
    outcome: 'none',
    hint: 'Name another file, or add --replace.',
  })
}

/** The pages of a run that the file has; undefined if it has other content. A power cut may have lost the last ones. */
function wholePages(path: string, { pages }: Run): WrittenPage[] | undefined {
  if (pages.length === 0) return undefined
  return usingFile(path, 'read', () => {
    const handle = openRegular(path, O_RDONLY | SAFELY)
    try {
      const { size } = statSync(path)
      const length = pages.reduce((sum, { bytes }) => sum + bytes, 0)
      if (size > length && pages.at(-1)?.next === null) return undefined
      let at = 0
      for (const [index, { bytes, hash: expected }] of pages.entries()) {
        const content = Buffer.alloc(Math.min(bytes, size))
        const read = readSync(handle, content, 0, content.length, at)
        if (read < bytes || hash('sha256', content, 'base64url') !== expected)
          return size < length && index > 0 ? pages.slice(0, index) : undefined
        at += bytes
      }
      return pages
    } finally {
      closeSync(handle)
    }
  })
}

/** Reads a run file up to its last whole line; undefined if there is none. */
function readRun(runPath: string): Run | undefined {
  const [first = '', ...lines] = textAt(runPath).split('\n').slice(0, -1)
  const head = runHead().safeParse(jsonOrUndefined(first))
  if (!head.success) return undefined
  const pages: WrittenPage[] = []
  for (const line of lines) {
    const page = writtenPage().safeParse(jsonOrUndefined(line))
    if (!page.success) break
    pages.push(page.data)
  }
  return { head: head.data, pages }
}

const wasChanged = (out: string): UsageError =>
  new UsageError(`${out} was changed while it was being written, so it does not hold the list`, {
    code: 'unwritable_file',
    outcome: 'none',
    hint: 'Keep other programs from writing to it, and add --replace.',
  })

const beingWritten = (out: string): PayError =>
  new PayError('list_running', EXIT.conflict, `Another process is writing ${out}`, {
    outcome: 'none',
    retryable: true,
    hint: 'Wait for it to end, or stop it: the same command continues where it stops.',
  })
