import { describe, expect, test } from 'vitest'
import { partsBackwards } from '../../../src/ledger/disk/real-disk.ts'

const KB = 1024

function partsOf(text: string): readonly string[] {
  const file = Buffer.from(text)
  return [...partsBackwards(file.length, (bytes, at) => void file.copy(bytes, 0, at, at + bytes.length))]
}

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join('')

describe('a file read from its end', () => {
  test.each([
    ['shorter than a part', 'a\nb\n'],
    ['without a line feed at its end', 'a\nb'],
    ['with many parts', lines(10_000, (index) => `${index} ${'x'.repeat(index % 99)}`)],
    ['with characters of several bytes across the ends of parts', lines(3_000, () => 'é😀€'.repeat(9))],
    ['with lines as long as a part', lines(9, () => 'x'.repeat(16 * KB - 1))],
    ['with a line longer than several parts', `a\n${'x'.repeat(500 * KB)}\nb\n`],
    ['that is one line', 'x'.repeat(200 * KB)],
    ['with empty lines', '\n'.repeat(50 * KB)],
  ])('comes in parts of whole lines, the last first: %s', (_, text) => {
    const parts = partsOf(text)
    expect(parts.toReversed().join('')).toBe(text)
    for (const part of parts.slice(1)) expect(part === '' || part.endsWith('\n')).toBe(true)
  })

  test('has no parts if it is empty', () => {
    expect(partsOf('')).toEqual([])
  })

  test('begins with a short part, however long the file is', () => {
    const [first = ''] = partsOf(lines(100_000, () => 'x'.repeat(99)))
    expect(first.length).toBeGreaterThan(15 * KB)
    expect(first.length).toBeLessThanOrEqual(16 * KB)
  })

  test('never comes in a part of more than 256 KB and a line', () => {
    const parts = partsOf(lines(50_000, () => 'x'.repeat(99)))
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(256 * KB + 100)
  })

  test('replaces bytes that are no text, and keeps their line apart from the others', () => {
    const file = Buffer.concat([Buffer.from('a\n'), Buffer.from([0xff, 0xc3]), Buffer.from('\nb\n')])
    const parts = [...partsBackwards(file.length, (bytes, at) => void file.copy(bytes, 0, at))]
    expect(parts).toEqual(['a\n\uFFFD\uFFFD\nb\n'])
  })
})
