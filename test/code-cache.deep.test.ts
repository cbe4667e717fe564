import { execFile, execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import * as nodeModule from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

/** The code that the build compiles ahead and bin/pay.cjs uses if it is valid (docs/decisions/0017). */

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'payctl-test-'))
const main = join(folder, 'dist/main.cjs')
const [hook, seen] = [join(folder, 'hook.cjs'), join(folder, 'seen')]
afterAll(() => rmSync(folder, { recursive: true }))

// The program finds SQLite's library there.
symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
for (const name of ['bin', 'dist', 'package.json'])
  cpSync(join(root, name), join(folder, name), { recursive: true })
const WORDS = ['payment', 'get', '--no-such-flag']

beforeEach(() => {
  rmSync(seen, { force: true })
  for (const name of ['dist/code-cache', 'dist/main.cjs'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  // Records whether V8 accepted the cached code.
  writeFileSync(
    hook,
    `const vm = require('node:vm')
     vm.Script = class extends vm.Script {
       constructor(...args) {
         super(...args)
         require('node:fs').writeFileSync(${JSON.stringify(seen)}, this.cachedDataRejected ? 'refused' : 'accepted')
       }
     }`,
  )
})

const compiled = (): string =>
  join(folder, 'dist/code-cache', readdirSync(join(folder, 'dist/code-cache')).find(isOurs) ?? 'none')
const isOurs = (name: string): boolean => name.startsWith(`${process.version}-`)

function change(path: string, alter: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, alter(readFileSync(path)))
}

async function pay(
  env: Readonly<Record<string, string>> = {},
  { at = folder, words = WORDS }: { readonly at?: string; readonly words?: readonly string[] } = {},
) {
  const ended = await new Promise<{ exitCode: number | null; stdout: string; stderr: string }>((resolve) => {
    const args = ['--require', hook, join(at, 'bin/pay.cjs'), ...words]
    const child = execFile(process.execPath, args, { env: { HOME: folder, ...env } }, (_, stdout, stderr) =>
      resolve({ exitCode: child.exitCode, stdout, stderr }),
    )
  })
  return { ...ended, code: existsSync(seen) ? readFileSync(seen, 'utf8') : 'not used' }
}

const REFUSED = { exitCode: 2, stdout: '', stderr: expect.stringContaining('--no-such-flag') }

test('uses the code compiled for this Node', async () => {
  expect(await pay()).toMatchObject({ ...REFUSED, code: 'accepted' })
})

describe('runs the program without the cache', () => {
  test.each([
    ['is missing', () => rmSync(join(folder, 'dist/code-cache'), { recursive: true })],
    ['is truncated', () => change(compiled(), (bytes) => bytes.subarray(0, bytes.length >> 1))],
    ['is shorter than its digest', () => change(compiled(), (bytes) => bytes.subarray(0, 20))],
    ['is empty', () => change(compiled(), () => Buffer.alloc(0))],
    [
      'has one flipped bit',
      () =>
        change(compiled(), (bytes) => {
          bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
          return bytes
        }),
    ],
  ])('if the cache %s', async (_, damage) => {
    damage()
    expect(await pay()).toMatchObject({ ...REFUSED, code: 'not used' })
  })

  test('with PAY_NO_CODE_CACHE', async () => {
    expect(await pay({ PAY_NO_CODE_CACHE: '1' })).toMatchObject({ ...REFUSED, code: 'not used' })
  })

  test('if the program was changed by one character', async () => {
    change(main, (bytes) => Buffer.from(bytes.toString().replace('// src/', '// Src/')))
    expect(await pay()).toMatchObject({ ...REFUSED, code: 'not used' })
  })
})

/** What Node keeps for a copy without compiled code, as an installed one is: nothing before 22.8. */
describe.skipIf(process.platform === 'win32')('an installed copy', () => {
  const home = join(folder, 'home')
  const kept = (): readonly string[] =>
    readdirSync(home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
  const canKeep = 'enableCompileCache' in nodeModule

  beforeEach(() => {
    rmSync(join(folder, 'dist/code-cache'), { recursive: true })
    rmSync(home, { recursive: true, force: true })
    mkdirSync(home, { mode: 0o700 })
  })

  test('keeps compiled code in the cache folder of its user', async () => {
    expect(await pay({ HOME: home })).toMatchObject(REFUSED)
    expect(kept().length > 0).toBe(canKeep)
    expect(kept().filter((path) => !path.startsWith(join(home, '.cache/payctl/')))).toEqual([])
    const other = join(home, 'other')
    mkdirSync(other, { mode: 0o700 })
    await pay({ HOME: home, XDG_CACHE_HOME: other })
    expect(existsSync(join(other, 'payctl'))).toBe(canKeep)
  })

  test.each<[string, () => Record<string, string>]>([
    ['with PAY_NO_CODE_CACHE', () => ({ PAY_NO_CODE_CACHE: '1' })],
    ['without a home folder', () => ({ HOME: '' })],
    ['in a home folder that does not exist', () => ({ HOME: join(home, 'none/none') })],
    [
      'in a folder that others can write to',
      () => {
        chmodSync(home, 0o777)
        return {}
      },
    ],
    [
      'in its folder, if others can write to the one above',
      () => {
        mkdirSync(join(home, '.cache/payctl'), { recursive: true, mode: 0o700 })
        chmodSync(join(home, '.cache'), 0o770)
        return {}
      },
    ],
    ...(process.getuid?.() === 0
      ? [
          [
            "in another user's folder",
            () => {
              chownSync(home, 12_345, 12_345)
              return {}
            },
          ] as [string, () => Record<string, string>],
        ]
      : []),
  ])('keeps nothing %s', async (_, env) => {
    expect(await pay({ HOME: home, ...env() })).toMatchObject(REFUSED)
    expect(kept()).toEqual([])
  })

  test('runs the program whichever byte of the kept code is damaged', async () => {
    await pay({ HOME: home })
    for (let part = 0; part < (canKeep ? 8 : 0); part += 1) {
      for (const path of kept())
        change(path, (bytes) => {
          const at = Math.floor((bytes.length * part) / 8)
          bytes[at] = (bytes[at] ?? 0) ^ 1
          return bytes
        })
      expect(await pay({ HOME: home })).toMatchObject(REFUSED)
    }
  })
})

test.skipIf(process.platform === 'win32')('runs the program once if its folder is a link', async () => {
  const linked = mkdtempSync(join(tmpdir(), 'payctl-test-'))
  try {
    for (const name of ['bin', 'package.json'])
      cpSync(join(root, name), join(linked, name), { recursive: true })
    symlinkSync(join(folder, 'dist'), join(linked, 'dist'))
    // This command's chunk imports from the program.
    const ended = await pay({}, { at: linked, words: ['loyalty', 'refund', '--help'] })
    expect(ended).toMatchObject({ exitCode: 0, code: 'accepted' })
    expect(ended.stdout.match(/^Usage:/gm)).toHaveLength(1)
  } finally {
    rmSync(linked, { recursive: true })
  }
})

test('an error in the program names its file and line', async () => {
  const lines = readFileSync(main, 'utf8').trimEnd().split('\n')
  const fault = "if (process.env['FAIL'] === '1') throw new Error('at the end')"
  writeFileSync(main, [...lines, fault, ''].join('\n'))
  const script = pathToFileURL(join(root, 'scripts/compile-ahead.mjs')).href
  const again = `import { compileAhead } from ${JSON.stringify(script)}; compileAhead(${JSON.stringify(join(folder, 'dist'))})`
  execFileSync(process.execPath, ['--input-type=module', '-e', again])
  const ended = await pay({ FAIL: '1' })
  expect(ended).toMatchObject({
    exitCode: 1,
    code: 'accepted',
    stderr: expect.stringContaining(`dist/main.cjs:${lines.length + 1}\n${fault}`),
  })
})
