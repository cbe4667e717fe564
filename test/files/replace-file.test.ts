import { readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { putIfFree, replaceFile } from '../../src/files/replace-file.ts'
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
