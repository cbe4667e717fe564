import { execFile } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

/** bin/pay.cjs answers some calls without loading the program. Needs a build, which `npm test` makes. */

const root = fileURLToPath(new URL('..', import.meta.url))
const BIN = join(root, 'bin/pay.cjs')
const PROGRAM = join(root, 'dist/main.cjs')

interface Ran {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}
const run = (...args: readonly string[]): Promise<Ran> =>
  new Promise((resolve) => {
    const child = execFile(process.execPath, [...args], { env: {} }, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, stdout, stderr }),
    )
  })

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})
/** The package without build output. */
const unbuilt = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-test-'))
  folders.push(folder)
  mkdirSync(join(folder, 'bin'))
  copyFileSync(BIN, join(folder, 'bin/pay.cjs'))
  copyFileSync(join(root, 'package.json'), join(folder, 'package.json'))
  return join(folder, 'bin/pay.cjs')
}

test.each(['--version', '-V'])('%s prints the version of the package', async (flag) => {
  expect(await run(BIN, flag)).toEqual({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: '' })
})

describe('answers without loading the program', () => {
  test.each([['--version'], ['-V'], ['--help'], ['-h'], []])(
    'pay %s prints the same as the program',
    async (...args) => {
      expect(await run(BIN, ...args)).toEqual(await run(PROGRAM, ...args))
    },
  )

  test('the version does not need a build', async () => {
    expect(await run(unbuilt(), '--version')).toMatchObject({ exitCode: 0, stdout: `${manifest.version}\n` })
  })
})

test.each([[['--help', 'payment']], [['payment', '--help']], [['-hV']], [['']]])(
  'passes other arguments to the program: %j',
  async (args) => {
    expect(await run(BIN, ...args)).toEqual(await run(PROGRAM, ...args))
  },
)

test('says what to do if the program is not built', async () => {
  expect(await run(unbuilt(), 'payment', 'get', 'p1')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'pay is not built yet: run npm run build\n',
  })
})

const asIf = (version: string) =>
  `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } }); require(${JSON.stringify(BIN)})`

describe('the Node version', () => {
  test.each(['18.20.8', '20.18.3', '6.17.1'])(
    '%s is refused, and the error names the required version',
    async (version) => {
      expect(await run('-e', asIf(version))).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `pay needs Node 20.19 or newer; this is Node ${version}.\n`,
      })
    },
  )

  test.each(['20.19.0', '22.0.0', '26.1.0'])('%s is accepted', async (version) => {
    expect(await run('-e', asIf(version))).toMatchObject({ exitCode: 0, stderr: '' })
  })

  test('is checked by code that an old Node can parse', () => {
    const source = readFileSync(BIN, 'utf8').replaceAll(/\/\/.*|\/\*[^]*?\*\//g, '')
    expect(source).not.toMatch(/=>|`|\b(?:const|let|class|async|await|import)\b|\?\.|\?\?/)
  })
})
