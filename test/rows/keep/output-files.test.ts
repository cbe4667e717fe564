import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { destinationAt, refuseOtherContent, refuseOwnFolders } from '../../../src/rows/keep/output-files.ts'
import { ndjsonRejects, tableRejects } from '../../../src/rows/read/rejects.ts'
import { useFolder } from '../../support/folder.ts'

const cwd = useFolder()

const at = (name: string) => join(cwd(), name)
const HEADER = 'row,outcome\n'
const refuse = (text: string, delimiter?: string) => () => {
  writeFileSync(at('f'), text)
  const results = { flag: '--results', path: 'f', header: HEADER } as const
  const { isSuch } =
    delimiter === 'json' ? ndjsonRejects('why') : tableRejects(['a'], delimiter ?? ',', 'why')
  const rejects = {
    flag: '--rejects',
    path: 'f',
    header: delimiter === 'json' ? '' : 'a,why\n',
    isSuch,
  } as const
  refuseOtherContent([delimiter === undefined ? results : rejects], cwd())
}

describe('results replace', () => {
  const hole = '\0'.repeat(HEADER.length)
  test.each(['', HEADER, `${HEADER}1,done\n`, 'row,ou', hole, `row,ou${hole.slice(6)}`])('%j', (text) => {
    expect(refuse(text)).not.toThrow()
  })

  test.each([
    '\n',
    'row,outcome2\n',
    'row;outcome\n',
    '{"type":"plan"}\n',
    '\0\0\0',
    `${hole}\0`,
    `rox${hole.slice(3)}`,
    `row${hole.slice(4)}x`,
  ])('never %j', (text) => {
    expect(refuse(text)).toThrow(
      expect.objectContaining({
        code: 'unwritable_file',
        exitCode: 2,
        message: 'f already exists, and --results has not written it',
        details: expect.objectContaining({ hint: 'Name another file for --results, or remove this one.' }),
      }),
    )
  })
})

describe('rejects replace', () => {
  test.each([
    [',', 'a,why\n1,late\n'],
    [',', 'b,"c\nd",why\n'],
    [';', '\uFEFFa;b;why\r\n'],
    ['json', '{"a":1,"why":"late"}\n'],
    ['json', '{"a":\n{"a":1,"why":"late"}\n'],
  ])('with %s, %j', (delimiter, text) => {
    expect(refuse(text, delimiter)).not.toThrow()
  })

  test.each([
    [',', 'why,a\n1,2\n'],
    [',', 'a;why\n'],
    [',', 'notes\n'],
    [',', '"\n'],
    ['json', '{"a":1}\n{"a":1,"why":"late"}\n'],
    ['json', 'notes\n'],
  ])('with %s, never %j', (delimiter, text) => {
    expect(refuse(text, delimiter)).toThrow('f already exists, and --rejects has not written it')
  })
})

test.skipIf(process.platform === 'win32')('a link, a pipe and a folder are no place for a file', () => {
  writeFileSync(at('target'), HEADER)
  symlinkSync(at('target'), at('link'))
  symlinkSync(at('nothing'), at('dangling'))
  symlinkSync('/dev/null', at('device'))
  execFileSync('mkfifo', [at('pipe')])
  expect([destinationAt(at('none')), destinationAt(at('target')), destinationAt(at('device'))]).toEqual([
    'free',
    'file',
    'stream',
  ])
  const problems = ['link', 'dangling', 'pipe', '.'].map((name) => {
    try {
      return destinationAt(at(name))
    } catch (error) {
      return error instanceof Error ? error.message.replace(/^.* cannot be written: /, '') : error
    }
  })
  expect(problems).toEqual([
    'it is a symbolic link',
    'it is a symbolic link',
    'it is not a regular file',
    'it is a folder',
  ])
})

test('the folders of pay are found behind links, also for a file that does not exist', () => {
  mkdirSync(at('state/ledger'), { recursive: true })
  symlinkSync(at('state/ledger'), at('elsewhere'))
  const folders = { cwd: cwd(), configFolder: at('config'), stateFolder: at('state') }
  const check = (path: string) => () =>
    refuseOwnFolders({ '--results': undefined, '--rejects': path }, folders)
  for (const path of ['state/x', 'elsewhere/x', './state/../elsewhere/new/x', 'config/x'])
    expect(check(path)).toThrow(`--rejects ${path} is in a folder where pay keeps its own files`)
  for (const path of ['x', 'states/x', 'state.csv']) expect(check(path)).not.toThrow()
})
