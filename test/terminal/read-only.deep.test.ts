import { execFileSync } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, linkSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createSpawnBench } from '../support/spawn-pay.ts'
import type { SpawnBench } from '../support/spawn-pay.ts'

/**
 * Root can write everywhere, so root runs the program as the user nobody. Node and the program are copied to a folder that
 * this user can read, which may not be true of the checkout.
 */
const isRoot = process.getuid?.() === 0
const AS_NOBODY = 'setpriv --reuid=65534 --regid=65534 --clear-groups'
const canTry = process.platform !== 'win32' && (!isRoot || hasSetpriv())

function hasSetpriv(): boolean {
  try {
    execFileSync('setpriv', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let bench: SpawnBench
let program: string
beforeEach(() => {
  bench = createSpawnBench()
  const copy = join(bench.folder, 'program')
  const root = fileURLToPath(new URL('../..', import.meta.url))
  for (const part of ['bin', 'dist', 'package.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true })
  for (const name of ['@photostructure', 'node-gyp-build'])
    cpSync(join(root, 'node_modules', name), join(copy, 'node_modules', name), { recursive: true })
  const node = join(copy, 'node')
  try {
    linkSync(process.execPath, node)
  } catch {
    copyFileSync(process.execPath, node)
  }
  program = `${isRoot ? AS_NOBODY : ''} "${node}" "${join(copy, 'bin/pay.cjs')}"`
  chmodSync(bench.folder, 0o755)
})
afterEach(() => {
  execFileSync('chmod', ['-R', 'u+rwX', bench.folder])
  bench.dispose()
})

/** A folder that the program's user can read but not write. */
function readOnlyFolder(): string {
  const folder = join(bench.folder, 'readonly')
  mkdirSync(folder)
  chmodSync(folder, 0o555)
  return folder
}

describe.runIf(canTry)('on a read-only file system', () => {
  test('the sandbox says where it cannot write and what to do', async () => {
    const folder = readOnlyFolder()
    const failed = await bench.shell(
      `${program} --sandbox payment create --token tok_visa --amount '1 EUR' --order-id A`,
      { env: { PAY_STATE_DIR: join(folder, 'state') } },
    )
    expect(failed).toMatchObject({ exitCode: 2, stdout: '' })
    expect(failed.stderr).toContain(folder)
    expect(failed.stderr).toContain('PAY_STATE_DIR')
  })

  test('an existing sandbox keeps its data', async () => {
    const state = bench.stateFolder
    const made = await bench.pay(
      "--sandbox payment create --token tok_visa --amount '1 EUR' --order-id A -o id",
    )
    const before = readdirSync(join(state, 'sandbox'))
    execFileSync('chmod', ['-R', 'a=rX', state])
    const failed = await bench.shell(`${program} --sandbox payment cancel ${made.stdout.trim()}`, {
      env: { PAY_STATE_DIR: state },
    })
    expect(failed).toMatchObject({ exitCode: 2, stdout: '' })
    expect(failed.stderr).toContain('PAY_STATE_DIR')
    execFileSync('chmod', ['-R', 'u+rwX', state])
    expect(readdirSync(join(state, 'sandbox'))).toEqual(before)
    expect((await bench.pay(`--sandbox payment get ${made.stdout.trim()} --query status`)).stdout).toBe(
      '"AUTHORIZED"\n',
    )
  })

  test('a profile is not stored, its key is not shown, and the folder is named', async () => {
    const folder = readOnlyFolder()
    const failed = await bench.shell(
      `printf key-0123456789abcdef | ${program} profile add shop --base-url https://api.example.com --api-key-stdin`,
      { env: { PAY_CONFIG_DIR: join(folder, 'config') } },
    )
    expect(failed).toMatchObject({ exitCode: 2, stdout: '' })
    expect(failed.stderr).toContain(folder)
    expect(failed.stderr).not.toContain('key-0123456789abcdef')
  })
})
