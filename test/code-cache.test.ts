import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'

/** What the build has compiled ahead, and bin/pay.cjs takes or leaves (docs/decisions/0017). */

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'payctl-test-'))
const main = join(folder, 'dist/main.cjs')
const [hook, seen] = [join(folder, 'hook.cjs'), join(folder, 'seen')]
afterAll(() => rmSync(folder, { recursive: true }))

const WORDS = ['payment', 'get', '--no-such-flag']

beforeEach(() => {
  rmSync(join(folder, 'dist'), { recursive: true, force: true })
  rmSync(seen, { force: true })
  for (const name of ['bin', 'dist', 'package.json'])
    cpSync(join(root, name), join(folder, name), { recursive: true })
  // Tells whether V8 took the code that it was given.
  writeFileSync(
    hook,
    `const vm = require('node:vm')
     vm.Script = class extends vm.Script {
       constructor(...args) {
         super(...args)
         require('node:fs').writeFileSync(${JSON.stringify(seen)}, this.cachedDataRejected ? 'refused' : 'taken')
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

test('what was compiled for this Node is taken', async () => {
  expect(await pay()).toMatchObject({ ...REFUSED, code: 'taken' })
})

describe('the program runs as it stands', () => {
  test.each([
    ['is not there', () => rmSync(join(folder, 'dist/code-cache'), { recursive: true })],
    ['has lost its end', () => change(compiled(), (bytes) => bytes.subarray(0, bytes.length >> 1))],
    ['is shorter than its digest', () => change(compiled(), (bytes) => bytes.subarray(0, 20))],
    ['is empty', () => change(compiled(), () => Buffer.alloc(0))],
    [
      'has one bit that is another',
      () =>
        change(compiled(), (bytes) => {
          bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
          return bytes
        }),
    ],
  ])('where what was compiled %s', async (_, damage) => {
    damage()
    expect(await pay()).toMatchObject({ ...REFUSED, code: 'not used' })
  })

  test('where it is told to', async () => {
    expect(await pay({ PAY_NO_CODE_CACHE: '1' })).toMatchObject({ ...REFUSED, code: 'not used' })
  })

  test('where it was changed since, be it by one sign', async () => {
    change(main, (bytes) => Buffer.from(bytes.toString().replace('// src/', '// Src/')))
    expect(await pay()).toMatchObject({ ...REFUSED, code: 'not used' })
  })
})

test.skipIf(process.platform === 'win32')('the program runs once where its folder is a link', async () => {
  const linked = mkdtempSync(join(tmpdir(), 'payctl-test-'))
  try {
    for (const name of ['bin', 'package.json'])
      cpSync(join(root, name), join(linked, name), { recursive: true })
    symlinkSync(join(folder, 'dist'), join(linked, 'dist'))
    // Its chunk asks for what is in the program.
    const ended = await pay({}, { at: linked, words: ['loyalty', 'refund', '--help'] })
    expect(ended).toMatchObject({ exitCode: 0, code: 'taken' })
    expect(ended.stdout.match(/^Usage:/gm)).toHaveLength(1)
  } finally {
    rmSync(linked, { recursive: true })
  }
})

test('an error of the program tells its file and line as ever', async () => {
  const lines = readFileSync(main, 'utf8').trimEnd().split('\n')
  const fault = "if (process.env['FAIL'] === '1') throw new Error('at the end')"
  writeFileSync(main, [...lines, fault, ''].join('\n'))
  const script = pathToFileURL(join(root, 'scripts/compile-ahead.mjs')).href
  const again = `import { compileAhead } from ${JSON.stringify(script)}; compileAhead(${JSON.stringify(join(folder, 'dist'))})`
  execFileSync(process.execPath, ['--input-type=module', '-e', again])
  const ended = await pay({ FAIL: '1' })
  expect(ended).toMatchObject({
    exitCode: 1,
    code: 'taken',
    stderr: expect.stringContaining(`dist/main.cjs:${lines.length + 1}\n${fault}`),
  })
})
