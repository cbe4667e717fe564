import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { at } from '../sandbox/service.ts'
import { PAY } from '../support/spawn-pay.ts'
import { createWorld, makeSettledPayment, readPayment, listRecords } from './world.ts'
import type { World } from './world.ts'

/** strace delays one system call of one process. Some machines have no strace, or forbid it. */
const hasStrace = spawnSync('strace', ['-o', '/dev/null', '-e', 'trace=unlink', 'true']).status === 0

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setImmediate(resolve))
}

const openPath = (world: World): string | undefined => {
  const folder = join(world.stateFolder, 'ledger', 'open')
  const [name] = existsSync(folder) ? readdirSync(folder).filter((one) => one.endsWith('.json')) : []
  return name === undefined ? undefined : join(folder, name)
}

/** A confirmed refund whose open record is still there, as after a kill before its last step. */
async function leftoverRecord(world: World, id: string): Promise<string> {
  const running = world.start(`payment refund ${id} --amount 101`)
  let text = ''
  await until(() => {
    const path = openPath(world)
    if (path === undefined) return false
    text = readFileSync(path, 'utf8')
    return text !== ''
  })
  const path = openPath(world) ?? ''
  expect(await running.ended).toMatchObject({ exitCode: 0 })
  writeFileSync(path, text, { mode: 0o600 })
  return path
}

// Skipped without strace; the simulation has the same case.
test.skipIf(!hasStrace)(
  "a delayed removal of an ended record does not remove another process's claim",
  async () => {
    const world = await createWorld(1)
    const id = await makeSettledPayment(world, 'A-1')
    await world.control('POST', 'faults', { on: 'POST /payments/*/refund', do: 'delay=1s', times: 1 })
    const stale = await leftoverRecord(world, id)
    await world.control('POST', 'faults', { on: 'POST /payments/*/refund', do: 'hang' })

    const log = join(world.stateFolder, 'strace')
    const held = ['-e', 'trace=unlink,unlinkat', '-e', 'inject=unlink,unlinkat:delay_enter=4000000:when=1']
    const words = ['payment', 'refund', id, '--amount', '102', '--again', '--json']
    const late = spawn('strace', ['-f', '-P', stale, '-o', log, ...held, process.execPath, PAY, ...words], {
      env: { ...world.env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void late.kill('SIGKILL'))
    let said = ''
    late.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    const lateEnds = new Promise<number | null>((resolve) => late.on('close', resolve))
    await until(() => existsSync(log) && readFileSync(log, 'utf8').includes('unlink'))

    const claiming = world.start(`payment refund ${id} --amount 103 --again`)
    await until(() => {
      const path = openPath(world)
      return path !== undefined && path !== stale
    })
    expect(await lateEnds).toBe(6)
    expect(said).toContain('"code":"in_progress"')
    claiming.kill('SIGKILL')
    await claiming.ended
    expect(await listRecords(world)).toMatchObject([
      { amount: 103, state: 'in-doubt' },
      { amount: 101, state: 'confirmed' },
    ])
    expect(at(await readPayment(world, id), 'processor', 'amountRefunded')).toBe(101)
  },
)
