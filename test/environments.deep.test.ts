import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { TESTED, nodeProgram } from '../scripts/node-builds.mjs'
import { newFolder } from './support/folder.ts'
import { packInto } from './support/pack.ts'
import { CTRL_C, inTerminal } from './support/pseudo-terminal.ts'
import type { TerminalStep } from './support/pseudo-terminal.ts'
import { ROOT } from './support/spawn-pay.ts'

/** The packed package in environments that a developer's machine isn't. */

const NODES = TESTED['linux-x64'].filter((version) => existsSync(nodeProgram('linux-x64', version)))
/** Whether this user may have mounts of their own, which only root may on most systems. */
const mayMount = spawnSync('unshare', ['--mount', 'true']).status === 0
const isReady = process.platform === 'linux' && process.arch === 'x64' && NODES.length > 0

test('other versions of Node are here', ({ skip }) => {
  skip(!isReady, 'it needs Linux on x64, and the builds of Node that node scripts/node-builds.mjs fetches')
  skip(!mayMount, 'read-only and noexec disks need root')
})

let installed: string
beforeAll(() => {
  installed = mkdtempSync(join(tmpdir(), 'pay-installed-'))
  // Another user runs it too.
  chmodSync(installed, 0o755)
  const modules = join(installed, 'node_modules')
  mkdirSync(join(modules, 'payctl'), { recursive: true })
  const tarball = packInto(installed)
  execFileSync('tar', ['-xzf', tarball, '-C', join(modules, 'payctl'), '--strip-components=1'])
  for (const name of ['@photostructure/sqlite', 'node-gyp-build', 'node-addon-api'])
    cpSync(join(ROOT, 'node_modules', name), join(modules, name), { recursive: true })
})
afterAll(() => rmSync(installed, { recursive: true, force: true }))

describe.skipIf(!isReady).each(NODES)('on Node %s', (version) => {
  const node = nodeProgram('linux-x64', version)
  /** A line of a shell that runs pay; `pay` in it is the program. */
  const line = (text: string) =>
    `pay() { "${node}" "${installed}/node_modules/payctl/bin/pay.cjs" "$@"; }; ${text}`
  function folders() {
    const folder = newFolder()
    chmodSync(folder, 0o777)
    return { folder, env: { PAY_CONFIG_DIR: join(folder, 'config'), PAY_STATE_DIR: join(folder, 'state') } }
  }
  function run(argv: readonly string[], env: Readonly<Record<string, string>>) {
    const [file = '', ...args] = argv
    const path = { PATH: process.env['PATH'] ?? '' }
    const { status, stdout, stderr } = spawnSync(file, args, { env: { ...path, ...env }, encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  const PASSED = { status: 0, stdout: expect.stringContaining('All 12 steps passed.') }

  test('without a home, and for a user whom the system does not know', ({ skip }) => {
    skip(process.getuid?.() !== 0, 'only root may become another user')
    const nobody = (text: string) => [
      'setpriv',
      '--reuid',
      '4711',
      '--regid',
      '4711',
      '--clear-groups',
      'sh',
      '-c',
      line(text),
    ]
    // The cache of another user isn't for everyone.
    const local = join(installed, `node-${version}`)
    cpSync(node, local)
    const own = (text: string) => nobody(text).map((word) => word.replaceAll(node, local))
    const { env } = folders()
    expect(run(own('pay smoke --sandbox'), env)).toMatchObject(PASSED)
    expect(run(own('pay doctor --sandbox'), env)).toMatchObject({ status: 0 })
    expect(run(own('pay smoke --sandbox'), {})).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/PAY_CONFIG_DIR and PAY_STATE_DIR/),
    })
    // It would put a ledger into the current folder.
    expect(run(own('pay smoke --sandbox'), { HOME: '' })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('HOME is not an absolute path'),
    })
    rmSync(local)
  })

  test('in a folder that was removed', () => {
    const { env } = folders()
    const removed = newFolder()
    const inRemoved = (text: string) => ['sh', '-c', `cd "${removed}" && rmdir "${removed}" && ${line(text)}`]
    expect(
      run(inRemoved('pay payment list --sandbox; code=$?; pay payment --help; exit $code'), env),
    ).toEqual({
      status: 2,
      stdout: expect.stringContaining('Usage: pay payment'),
      stderr: expect.stringMatching(/^✗ The current folder was removed.*\n(?: {2}.*\n)*$/),
    })
  })

  test.skipIf(!mayMount)('on a read-only disk', () => {
    const { env } = folders()
    const home = newFolder()
    // The user's own may have a sandbox already.
    const own = join(installed, 'home')
    // The files of tests may be on the same disk, and the program on another.
    const readOnly = (text: string, writable: string) => [
      'unshare',
      '--mount',
      'sh',
      '-c',
      `mount -t tmpfs tmpfs "${writable}" && mount --bind "${installed}" "${installed}" && mount -o remount,bind,ro "${installed}" && mount -o remount,bind,ro / && ${line(text)}`,
    ]
    const { PAY_CONFIG_DIR: config } = env
    const writable = join(config, '..')
    expect(run(readOnly('pay smoke --sandbox', writable), { ...env, HOME: own })).toMatchObject(PASSED)
    const found = run(readOnly('pay doctor --sandbox', home), { HOME: own })
    expect(found).toMatchObject({ status: 2 })
    expect(found.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /state folder .* cannot be (created|written to) \(EROFS\)/,
    )
    expect(run(readOnly('pay smoke --sandbox', home), { HOME: own })).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('PAY_STATE_DIR'),
    })
  })

  test.skipIf(!mayMount)('on a disk from which nothing may run', () => {
    const { folder, env } = folders()
    const [major = 0] = version.split('.').map(Number)
    const place = join(folder, 'noexec')
    mkdirSync(place)
    const text = line('pay smoke --sandbox').replaceAll(installed, place)
    const names = [...Object.keys(env), 'TMPDIR']
    const own = Object.fromEntries(names.map((name) => [name, join(place, name)]))
    const script = `mount -t tmpfs -o noexec tmpfs "${place}" && cp -r "${installed}/node_modules" "${place}" && mkdir "$TMPDIR" && ${text}`
    const ran = run(['unshare', '--mount', 'sh', '-c', script], own)
    if (major >= 22) return expect(ran).toMatchObject(PASSED)
    expect(ran.status).toBe(1)
    expect(ran.stderr).toMatch(/SQLite cannot be loaded.*\n(?:.*\n)*.*Node 22\.13/)
    expect(ran.stderr).not.toContain('PAY_STATE_DIR')
  })

  test('in LANG=C, where less would show the bytes of UTF-8', async () => {
    const { env } = folders()
    const own = { ...env, LANG: 'C', LC_ALL: 'C' }
    expect(
      run(['sh', '-c', line('pay sandbox seed --payments 80 && pay smoke --sandbox')], own),
    ).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('✓'),
    })
    const { screen } = await inTerminal(line('pay payment list --limit 80 --sandbox'), {
      env: own,
      steps: [{ when: 'A-1078', type: 'q' }],
    })
    expect(screen).toContain('✓ Settled')
    expect(screen).not.toContain('<E2>')
  })

  test('in terminals of five kinds', async () => {
    const { env } = folders()
    expect(run(['sh', '-c', line('pay sandbox seed --payments 80')], env)).toMatchObject({ status: 0 })
    const shown = async (TERM: string, words: string, steps: readonly TerminalStep[] = []) => {
      const own = { ...env, TERM, PAGER: 'echo paged; cat' }
      const ended = await inTerminal(line(words), { env: own, steps })
      // oxlint-disable-next-line no-control-regex
      if (TERM === 'dumb') expect(ended.raw).not.toMatch(/\u001b/)
      return ended
    }
    for (const TERM of ['xterm-256color', 'linux', 'vt100', 'dumb', '']) {
      const { exitCode, screen } = await shown(TERM, 'pay payment list --limit 80 --sandbox')
      expect({ exitCode, screen }, TERM).toMatchObject({
        exitCode: 0,
        screen: expect.stringContaining('✓ Settled'),
      })
      // It can't move back, as a pager does.
      expect(screen.includes('paged'), TERM).toBe(TERM !== 'dumb')
      const asked = await shown(TERM, 'pay payment create --sandbox', [
        { when: 'Payment method token', paste: CTRL_C },
      ])
      expect(asked, TERM).toMatchObject({ exitCode: 130 })
    }
  })
})

test('the examples of Kubernetes name the image of this version', () => {
  const { version }: { readonly version: string } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  for (const page of ['docs/kubernetes.md', 'examples/import-job.yaml']) {
    const images = [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\bimage: (\S+)/g)].map(
      ([, name]) => name,
    )
    expect(
      images.filter((name) => name?.includes('/payctl:')),
      page,
    ).toEqual([`registry.example.com/payctl:${version}`])
  }
})

test("the container's command serves a sandbox that has the given key", async () => {
  const [, command = ''] = /^CMD (\[.*\])$/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8')) ?? []
  const words: readonly string[] = JSON.parse(command)
  const folder = newFolder()
  const server = spawn(
    process.execPath,
    [join(installed, 'node_modules/payctl/bin/pay.cjs'), ...words, '--port', '0', '--json'],
    {
      env: { PAY_CONFIG_DIR: folder, PAY_STATE_DIR: folder, PAY_SANDBOX_KEY: 'key-of-the-job' },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  )
  onTestFinished(() => void server.kill('SIGKILL'))
  const [printed] = await new Promise<readonly [string]>((resolve) =>
    server.stdout.once('data', (bytes) => resolve([String(bytes)])),
  )
  const { port } = JSON.parse(printed)
  const statusOf = async (path: string, headers: Readonly<Record<string, string>>) =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status
  expect(await statusOf('/sandbox/health', {})).toBe(200)
  expect(await statusOf('/payments', { 'x-api-key': 'key-of-the-job' })).toBe(200)
  expect(await statusOf('/payments', { 'x-api-key': 'sandbox_all' })).toBe(401)
})
