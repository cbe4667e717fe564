import { readFileSync, readdirSync, renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { putIfFree, putInPlace, removeFile, replaceFile } from '../../src/files/replace-file.ts'
import { useFolder } from '../support/folder.ts'

const folder = useFolder()

const at = (name: string) => join(folder(), name)

test.skipIf(process.platform === 'win32')('replacing a link leaves its target alone', () => {
  writeFileSync(at('target'), 'theirs')
  symlinkSync(at('target'), at('f'))
  symlinkSync(at('target'), at('f.next'))
  replaceFile(at('f'), 'ours')
  expect([readFileSync(at('target'), 'utf8'), readFileSync(at('f'), 'utf8')]).toEqual(['theirs', 'ours'])
})

test('another process may replace the same file at the same moment', () => {
  const theirs = () => replaceFile(at('f'), 'theirs', { next: at('.two') })
  replaceFile(at('f'), 'ours', { next: at('.one'), sync: theirs })
  expect(readFileSync(at('f'), 'utf8')).toBe('ours')
  expect(readdirSync(folder())).toEqual(['f'])
})

test('if it fails, the old file stays and nothing else is left', () => {
  replaceFile(at('f'), 'old')
  const failed = () => {
    throw new Error('the disk failed')
  }
  expect(() => replaceFile(at('f'), 'new', { sync: failed })).toThrow('the disk failed')
  expect(readFileSync(at('f'), 'utf8')).toBe('old')
  expect(readdirSync(folder())).toEqual(['f'])
})

test('a name that is taken stays with its file', () => {
  writeFileSync(at('next'), 'ours')
  expect(putIfFree(at('next'), at('f'))).toBe(true)
  expect(readdirSync(folder())).toEqual(['f'])
  writeFileSync(at('next'), 'second')
  expect(putIfFree(at('next'), at('f'))).toBe(false)
  expect(readFileSync(at('f'), 'utf8')).toBe('ours')
})

describe('a file that another program has open, which Windows does not replace,', () => {
  const failing = (code: string, times: number) => {
    let calls = 0
    const rename = (from: string, to: string): void => {
      calls += 1
      if (calls <= times) throw Object.assign(new Error(code), { code })
      renameSync(from, to)
    }
    return { rename, calls: () => calls }
  }

  test.each(['EPERM', 'EACCES', 'EBUSY'])('is replaced once it is closed: %s', (code) => {
    writeFileSync(at('next'), 'ours')
    writeFileSync(at('f'), 'theirs')
    putInPlace(at('next'), at('f'), failing(code, 2).rename)
    expect(readFileSync(at('f'), 'utf8')).toBe('ours')
  })

  test.each(['EPERM', 'EACCES', 'EBUSY'])('is removed once it is closed: %s', (code) => {
    writeFileSync(at('f'), 'theirs')
    const failed: string[] = []
    removeFile(at('f'), (path) => {
      if (failed.length < 2) throw Object.assign(new Error(code), { code: failed[failed.push(code) - 1] })
      unlinkSync(path)
    })
    expect(readdirSync(folder())).toEqual([])
    // One that isn't there is no failure.
    removeFile(at('f'))
  })

  test('stays if it is never closed, and any other failure is final', () => {
    writeFileSync(at('next'), 'ours')
    writeFileSync(at('f'), 'theirs')
    expect(() => putInPlace(at('next'), at('f'), failing('EBUSY', Infinity).rename)).toThrow('EBUSY')
    expect(() =>
      removeFile(at('f'), () => {
        throw Object.assign(new Error('EBUSY'), { code: 'EBUSY' })
      }),
    ).toThrow('EBUSY')
    const full = failing('ENOSPC', Infinity)
    expect(() => putInPlace(at('next'), at('f'), full.rename)).toThrow('ENOSPC')
    expect(full.calls()).toBe(1)
    expect(readFileSync(at('f'), 'utf8')).toBe('theirs')
  })
})
