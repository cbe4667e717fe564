import { createHash } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import type { CommandInput } from '../../cli/command/input.ts'
import { switchFlag, textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { parseCount } from '../../cli/parse/count.ts'
import { EXIT, PayError, UsageError, interruptedBy } from '../../errors.ts'
import { syncPath } from '../../files/private-folder.ts'
import { removeFile, replaceFile } from '../../files/replace-file.ts'
import { textAt } from '../../json/fields.ts'
import { jsonOrUndefined } from '../../json/json.ts'
import { safeText } from '../../output/safe-text.ts'
import type { View } from '../../output/view.ts'
import { usingFile } from '../../rows/file-errors.ts'
import { READY_MAPPINGS } from '../../rows/import/ready-mappings.ts'
import { RECORD } from '../../rows/import/record-fields.ts'
import { lockFile } from '../../rows/keep/lock-file.ts'
import { writeWhole } from '../../rows/keep/state-file.ts'
import { encoderOf } from '../../rows/read/decode.ts'
import type { Encode } from '../../rows/read/decode.ts'
import type { OpenedRows } from '../../rows/read/open-rows.ts'
import { dealtBy, partOf } from '../../rows/read/shard.ts'
import { groupThousands, pluralize } from '../../text/words.ts'
import { haltOnInterrupt } from '../halt-on-interrupt.ts'
import { noteTable, openTable } from '../open-table.ts'
import { TABLE_FLAGS } from '../table-flags.ts'
import { readTableSettings } from '../table-settings.ts'
import { checkRecord } from './check-record.ts'
import { refuseOtherKinds } from './import.ts'

const MAX_PARTS = 1000

export const command: CommandSpec = {
  path: ['observability', 'split'],
  summary: 'Split a file of records into parts, for several processes',
  details:
    'Deals the rows of FILE into part-0, part-1 and so on in a folder, as import --shard does: rows with the same paymentId go to the same part, in the order of the file. Each part has the header and the encoding of FILE; import it with the flags that FILE needs, and name the same flags here. manifest.json, written last, has the rows and the SHA-256 of each part: a folder without it is no split. Sends nothing and needs no account.',
  examples: [
    {
      purpose: 'split a file for eight jobs',
      line: 'pay observability split payments.csv --parts 8 --out parts',
    },
    {
      purpose: 'a compressed file with other column names',
      line: 'pay observability split orders.csv.gz --parts 4 --out parts --mapping orders.yaml',
    },
  ],
  args: [{ name: 'FILE', from: 'file', help: 'CSV or NDJSON, plain or gzip; - for stdin' }],
  flags: {
    parts: { kind: 'count', value: 'N', help: `Number of parts, up to ${MAX_PARTS}` },
    out: { kind: 'text', value: 'DIR', from: 'file', help: 'The folder of the parts; made if it is missing' },
    replace: { kind: 'switch', help: 'Replace the split that the folder holds' },
    ...TABLE_FLAGS,
    mapping: { ...TABLE_FLAGS.mapping, suggestions: Object.keys(READY_MAPPINGS) },
  },
  run: runSplit,
  exitCodes: [EXIT.conflict, EXIT.interrupted],
  related: ['observability import', 'observability template'],
}

interface Manifest {
  readonly type: 'split'
  readonly version: 1
  /** The name of the file that was split. */
  readonly input: string
  readonly rows: number
  readonly parts: readonly Part[]
}

interface Part {
  readonly file: string
  readonly rows: number
  readonly sha256: string
}

const MANIFEST = 'manifest.json'
/** Marks a folder in which a split was begun, so that its parts may be replaced, and locks it. */
const MARK = '.split.lock'
const PART_FILE = /^part-\d+\.(?:csv|ndjson)$/

async function runSplit(invocation: Invocation, input: CommandInput): Promise<Result> {
  const { context } = invocation
  const path = input.args['FILE'] ?? ''
  const settings = readTableSettings(context, input, {
    schema: RECORD,
    path,
    ready: READY_MAPPINGS,
    mayLackColumns: true,
  })
  const count = readParts(textFlag(input, 'parts'))
  const out = textFlag(input, 'out')
  if (out === undefined)
    throw new UsageError('A split needs a folder', { code: 'missing_input', hint: 'Add --out DIR.' })
  const folder = resolve(context.cwd, out)
  const mayReplace = switchFlag(input, 'replace')
  refuseOther(folder, out, mayReplace)
  const opened = await openTable(
    invocation,
    { schema: RECORD, settings, path, check: checkRecord },
    haltOnInterrupt(invocation).signal,
  )
  await noteTable(invocation, opened, { ignoredAre: 'Columns that are not imported' })
  refuseOtherKinds(opened)
  usingFile(out, 'written', () => mkdirSync(folder, { recursive: true, mode: 0o700 }))
  const release = lockFile(
    join(folder, MARK),
    () =>
      new PayError('split_running', EXIT.conflict, `Another process is writing a split to ${out}`, {
        outcome: 'none',
      }),
  )
  try {
    refuseOther(folder, out, mayReplace)
    usingFile(out, 'written', () => removeSplit(folder))
    const names = Array.from({ length: count }, (_, index) => `part-${index}.${settings.format}`)
    const parts = await deal(opened, { folder, out, names, stop: context.interruption.stop })
    const rows = parts.reduce((sum, part) => sum + part.rows, 0)
    const file = path === '-' ? '-' : basename(path)
    const manifest: Manifest = { type: 'split', version: 1, input: file, rows, parts }
    usingFile(out, 'written', () => {
      syncPath(folder)
      replaceFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
    })
    return resultOf({ ...manifest, folder: out }, splitView)
  } catch (error) {
    removeSplit(folder)
    throw error
  } finally {
    release()
  }
}

const splitView: View<Manifest & { readonly folder: string }> = {
  ids: ({ parts }) => parts.map(({ file }) => file),
  csvColumns: ['input', 'rows', 'folder'],
  render: ({ folder, rows, parts }) =>
    [
      `${pluralize(groupThousands(rows), 'row')} in ${pluralize(groupThousands(parts.length), 'part')} in ${safeText(folder)}:`,
      ...parts.map(({ file, rows: own }) => `  ${file}  ${pluralize(groupThousands(own), 'row')}`),
    ].join('\n'),
}

function readParts(text: string | undefined): number {
  if (text === undefined)
    throw new UsageError('The number of parts is missing', { code: 'missing_input', hint: 'Add --parts N.' })
  const count = parseCount(text, '--parts')
  if (count >= 1 && count <= MAX_PARTS) return count
  throw new UsageError(`--parts takes a number from 1 to ${MAX_PARTS}, not "${text}"`, { code: 'bad_value' })
}

/** Refuses a folder with another split, or with files of others in the place of parts. */
function refuseOther(folder: string, out: string, mayReplace: boolean): void {
  const names = existsSync(folder) ? usingFile(out, 'read', () => readdirSync(folder)) : []
  const manifest = names.includes(MANIFEST)
    ? jsonOrUndefined(usingFile(out, 'read', () => readFileSync(join(folder, MANIFEST), 'utf8')))
    : undefined
  const isSplit = textAt(manifest, 'type') === 'split'
  if (isSplit && !mayReplace)
    throw new UsageError(`${out} holds another split`, {
      code: 'split_exists',
      outcome: 'none',
      hint: 'Name another folder, or add --replace.',
    })
  const isOurs = isSplit || (names.includes(MARK) && !names.includes(MANIFEST))
  const other = names.find((name) => name === MANIFEST || PART_FILE.test(name))
  if (isOurs || other === undefined) return
  throw new UsageError(`${join(out, other)} belongs to no split`, {
    code: 'not_replaced',
    outcome: 'none',
    hint: 'Name another folder.',
  })
}

/** Removes what an earlier split has left. Without its manifest, the rest is no split. */
function removeSplit(folder: string): void {
  removeFile(join(folder, MANIFEST))
  syncPath(folder)
  for (const name of readdirSync(folder)) if (PART_FILE.test(name)) removeFile(join(folder, name))
}

const FLUSH_BYTES = 32 * 1024

/** Deals the records, as they are in the input, into the files of the parts. */
async function deal(
  { rows: { input, start, records, rowOf }, encoding, hasMark }: OpenedRows,
  {
    folder,
    out,
    names,
    stop,
  }: {
    readonly folder: string
    readonly out: string
    readonly names: readonly string[]
    readonly stop: AbortSignal
  },
): Promise<readonly Part[]> {
  const encode = encoding === 'UTF-8' ? undefined : await encoderOf(encoding)
  // Decoding has removed the mark.
  const mark = encode !== undefined && hasMark ? encode('\uFEFF') : Buffer.alloc(0)
  const header = input.head.subarray(0, start.byte)
  const files: ReturnType<typeof openPart>[] = []
  try {
    for (const name of names) files.push(openPart(join(folder, name), { name, out, mark, header, encode }))
    let row = 0
    let at = start.byte
    for await (const block of records(input.from(start.byte), start)) {
      for (const { cells, next } of block.records) {
        row += 1
        const part = partOf(dealtBy(rowOf(cells).id, row), files.length)
        files[part - 1]?.add(block.bytes.subarray(at - block.startByte, next.byte - block.startByte))
        at = next.byte
      }
      if (block.problem !== undefined) throw block.problem
      if (stop.aborted) throw interruptedBy(stop, 'Interrupted: the folder holds no split.')
      at = block.startByte + block.bytes.length
    }
    return files.map((file) => file.finish())
  } finally {
    for (const file of files) file.close()
  }
}

function openPart(
  path: string,
  {
    name,
    out,
    mark,
    header,
    encode,
  }: {
    readonly name: string
    readonly out: string
    readonly mark: Buffer
    readonly header: Buffer
    readonly encode: Encode | undefined
  },
) {
  const handle = usingFile(out, 'written', () => openSync(path, 'wx', 0o600))
  const hash = createHash('sha256')
  let [rows, pendingBytes, isOpen] = [0, header.length, true]
  let pending: Buffer[] = [Buffer.from(header)]
  let prefix = mark
  const flush = () => {
    const text = Buffer.concat(pending)
    const bytes = Buffer.concat([prefix, encode === undefined ? text : encode(text.toString())])
    ;[pending, pendingBytes, prefix] = [[], 0, Buffer.alloc(0)]
    usingFile(out, 'written', () => writeWhole(handle, bytes))
    hash.update(bytes)
  }
  return {
    add: (record: Buffer) => {
      rows += 1
      // A copy: the record's bytes are a part of a chunk.
      pending.push(Buffer.from(record))
      pendingBytes += record.length
      if (pendingBytes >= FLUSH_BYTES) flush()
    },
    finish: (): Part => {
      flush()
      usingFile(out, 'written', () => fsyncSync(handle))
      return { file: name, rows, sha256: hash.digest('hex') }
    },
    close: () => {
      if (isOpen) closeSync(handle)
      isOpen = false
    },
  }
}
