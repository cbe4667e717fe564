import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { MAX_RECORD_BYTES } from '../../../src/rows/read/csv.ts'
import { openFile, openStream, SAMPLE_BYTES } from '../../../src/rows/read/input.ts'
import { collect, inChunks, someCuts } from '../chunks.ts'

const folder = mkdtempSync(join(tmpdir(), 'pay-input-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let files = 0
function fileWith(bytes: Uint8Array, extension = '.csv'): string {
  files += 1
  const path = join(folder, `${files}${extension}`)
  writeFileSync(path, bytes)
  return path
}
const textOf = async (source: AsyncIterable<Uint8Array>): Promise<string> =>
  Buffer.concat((await collect(source)).all).toString()

/** Text that doesn't compress well, at least 3 MB. */
const LONG = Array.from(
  { length: 60_000 },
  (_, index) => `${index},${(index * 7_919) % 104_729},${'x'.repeat(index % 80)}\n`,
).join('')

describe('a file', () => {
  test('can be read from any place', async () => {
    const path = fileWith(Buffer.from(LONG))
    for (const byte of [0, 1, 1_000_000, LONG.length - 1, LONG.length]) {
      const input = await openFile(path, 'a.csv')
      expect(input).toMatchObject({ size: LONG.length, isCompressed: false })
      expect(await textOf(input.from(byte))).toBe(LONG.slice(byte))
      expect(input.bytesRead()).toBe(LONG.length)
    }
  })

  test('that is small is its own head', async () =>
    expect((await openFile(fileWith(Buffer.from('a,b\n')), 'a.csv')).head.toString()).toBe('a,b\n'))

  test.each(['.csv.gz', '.csv'])(
    'in gzip is recognized by its bytes, not by its name: %s',
    async (extension) => {
      const bytes = gzipSync(LONG)
      const input = await openFile(fileWith(bytes, extension), 'a')
      expect(input).toMatchObject({ isCompressed: true, size: bytes.length })
      expect(await textOf(input.from(500_000))).toBe(LONG.slice(500_000))
      expect(input.bytesRead()).toBe(bytes.length)
    },
  )

  test('that is named .gz without being gzip is read as is', async () => {
    const input = await openFile(fileWith(Buffer.from('a,b\n'), '.csv.gz'), 'a.csv.gz')
    expect(input.isCompressed).toBe(false)
    expect(await textOf(input.from(0))).toBe('a,b\n')
  })

  test.skipIf(process.platform === 'win32')('that is a named pipe is read once, like stdin', async () => {
    const path = join(folder, 'pipe')
    execFileSync('mkfifo', [path])
    const plain = fileWith(Buffer.from(LONG))
    const writer = spawn('sh', ['-c', 'exec cat "$0" > "$1"', plain, path], { stdio: 'ignore' })
    const input = await openFile(path, 'pipe')
    expect(input.size).toBeUndefined()
    expect(await textOf(input.from(10))).toBe(LONG.slice(10))
    expect(writer.killed).toBe(false)
  })

  test.each([
    ['that is not there', join(folder, 'none.csv'), 'x.csv cannot be read: there is no such file'],
    ['that is a folder', folder, 'x.csv cannot be read: it is a folder'],
  ])('%s is refused', async (_, path, message) =>
    expect(openFile(path, 'x.csv')).rejects.toMatchObject({ code: 'unreadable_file', exitCode: 2, message }),
  )

  test('that disappears while it is read is an error', async () => {
    const path = fileWith(Buffer.from(LONG))
    const input = await openFile(path, 'x.csv')
    rmSync(path)
    const { error } = await collect(input.from(0))
    expect(error).toMatchObject({
      code: 'unreadable_file',
      message: 'x.csv cannot be read: there is no such file',
    })
  })
})

describe('a stream', () => {
  test('can be read from any place, plain or compressed, in chunks of any size', () =>
    fc.assert(
      fc.asyncProperty(
        fc.string(),
        someCuts,
        fc.boolean(),
        fc.nat(20),
        async (text, cuts, isCompressed, skip) => {
          const whole = Buffer.from(text)
          const byte = Math.min(skip, whole.length)
          const input = await openStream(inChunks(isCompressed ? gzipSync(whole) : whole, cuts), 'stdin')
          expect(input).toMatchObject({ size: undefined, isCompressed, head: whole })
          expect(await textOf(input.from(byte))).toBe(whole.subarray(byte).toString())
        },
      ),
    ))

  test.each([7, 65_536, 5_000_000])('has the same head in chunks of %i bytes', async (step) => {
    const bytes = Buffer.from(LONG)
    const cuts = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) => index * step)
    const { head } = await openStream(inChunks(bytes, cuts), 'stdin')
    const same = (length: number) => head.subarray(0, length).equals(bytes.subarray(0, length))
    expect(same(SAMPLE_BYTES)).toBe(true)
    expect(same(head.length)).toBe(true)
    expect(head.length).toBeLessThanOrEqual(MAX_RECORD_BYTES)
  })

  describe('is judged by what arrives in time', () => {
    const timeUp = Promise.resolve()
    const never = new Promise<void>(() => {})
    const liveStream = (text: string) => {
      let end = () => {}
      const ended = new Promise<void>((resolve) => {
        end = resolve
      })
      const stream = (async function* () {
        yield Buffer.from(text)
        await ended
        yield Buffer.from('late\n')
      })()
      return { stream, end }
    }

    test('even if it is fast', async () => {
      const { head, ahead, isSlow } = await openStream(inChunks(Buffer.from(LONG), [70_000]), 'stdin', never)
      expect(isSlow).toBe(false)
      let bytes = 0
      for await (const chunk of ahead(0)) bytes += chunk.length
      expect(bytes).toBeGreaterThanOrEqual(head.length)
    })

    test('and not waited for once it has a row', async () => {
      const { stream, end } = liveStream('name\n1\n')
      const input = await openStream(stream, 'stdin', timeUp)
      expect(input).toMatchObject({ isSlow: true, head: Buffer.from('name\n1\n') })
      end()
      expect(await textOf(input.from(0))).toBe('name\n1\nlate\n')
    })

    test('but waited for until it has one', async () => {
      const { stream, end } = liveStream('name\n')
      const opening = openStream(stream, 'stdin', timeUp)
      end()
      expect(await opening).toMatchObject({ isSlow: true, head: Buffer.from('name\nlate\n') })
    })
  })

  test('is read until its header is complete', async () => {
    const header = `${'name,'.repeat(20_000)}last\n1\n`
    const { head } = await openStream(inChunks(Buffer.from(header), [SAMPLE_BYTES + 1]), 'stdin')
    expect(head.toString()).toBe(header)
  })

  test('of several gzip members includes all of them', async () => {
    const bytes = Buffer.concat([gzipSync('a\n'), gzipSync(LONG), gzipSync('b\n')])
    const input = await openStream(inChunks(bytes, [1, 5, 1_000]), 'stdin')
    expect(await textOf(input.from(0))).toBe(`a\n${LONG}b\n`)
  })

  test('that is shorter than before is an error', async () => {
    const input = await openStream(inChunks(Buffer.from('a\nb\n'), []), 'stdin')
    const { error } = await collect(input.from(5))
    expect(error).toMatchObject({
      code: 'input_changed',
      exitCode: 2,
      message: 'The input is shorter than it was: it ends before the row to resume at',
    })
  })

  test('that breaks is an error after its data', async () => {
    const breaking = (async function* () {
      yield Buffer.from('a\nb')
      throw Object.assign(new Error('broken'), { code: 'EIO' })
    })()
    const { all, error } = await collect((await openStream(breaking, 'stdin')).from(0))
    expect(Buffer.concat(all).toString()).toBe('a\nb')
    expect(error).toMatchObject({ code: 'unreadable_file', message: 'stdin cannot be read: EIO' })
  })
})

describe('a damaged gzip file yields the data before the damage', () => {
  const whole = gzipSync(LONG)

  test('if it is truncated', async () => {
    for (const kept of [0.1, 0.5, 0.9]) {
      const path = fileWith(whole)
      truncateSync(path, Math.floor(whole.length * kept))
      const input = await openFile(path, 'a.csv.gz')
      const { all, error } = await collect(input.from(0))
      const text = Buffer.concat(all).toString()
      expect(LONG.startsWith(text)).toBe(true)
      expect(text.length).toBeGreaterThan(LONG.length * (kept - 0.1))
      expect(error).toMatchObject({
        code: 'unusable_file',
        exitCode: 2,
        message: 'a.csv.gz is truncated: the compressed data is incomplete',
      })
    }
  })

  test('if its checksum is wrong', async () => {
    const bytes = Buffer.from(whole)
    bytes.writeUInt32LE(bytes.readUInt32LE(bytes.length - 8) ^ 1, bytes.length - 8)
    const { all, error } = await collect((await openFile(fileWith(bytes), 'a.csv.gz')).from(0))
    expect(Buffer.concat(all).length).toBeGreaterThan(LONG.length - 200_000)
    expect(error).toMatchObject({
      code: 'unusable_file',
      message: expect.stringContaining('a.csv.gz is damaged'),
    })
  })

  test('if other data follows', async () => {
    const bytes = Buffer.concat([whole, Buffer.from('not gzip')])
    const { all, error } = await collect((await openFile(fileWith(bytes), 'a.csv.gz')).from(0))
    expect(LONG.startsWith(Buffer.concat(all).toString())).toBe(true)
    expect(error).toMatchObject({ code: 'unusable_file' })
  })

  test('unless not even one line can be read', async () =>
    expect(openFile(fileWith(whole.subarray(0, 20)), 'a.csv.gz')).rejects.toMatchObject({
      code: 'unusable_file',
    }))
})
