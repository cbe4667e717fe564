import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startInProc } from '../../src/client/ledger/process-start.ts'
import type { Entry } from '../../src/client/ledger/entry.ts'
import { at } from '../sandbox/service.ts'
import { entriesIn, putEntry } from '../support/ledger-rows.ts'
import { PAY } from '../support/spawn-pay.ts'
import type { Running } from '../support/spawn-pay.ts'
import { createWorld, makeSettledPayment, readPayment, listRecords } from './world.ts'
import type { World } from './world.ts'

const hasProc = existsSync('/proc/self/stat')

/** The service keeps the next refund waiting for ever. */
const hold = (world: World) =>
  world.control('POST', 'faults', { on: 'POST /payments/*/refund', do: 'hang', times: 1 })

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    // Asks again at once: every check takes some milliseconds.
  }
}

const hasArrived = async (world: World): Promise<boolean> => {
  const { body } = await world.service.send('GET', '/sandbox/faults')
  return at(body, 'data', 0, 'fired') === 1
}

/** A running refund that the service has received and does not answer. */
async function startHangingRefund(world: World, id: string): Promise<Running> {
  await hold(world)
  const running = world.start(`payment refund ${id} --amount 700 --json`)
  onTestFinished(() => running.kill('SIGKILL'))
  await until(() => hasArrived(world))
  return running
}

const stateOf = async (world: World): Promise<string | undefined> => (await listRecords(world))[0]?.state

/** Replaces the owner of the open record. */
function setOwner(
  { stateFolder }: World,
  owner: { readonly pid: number; readonly startedAt: string | undefined },
): void {
  const entry = openEntry(stateFolder)
  if (entry.owner === undefined) throw new Error('no owner')
  putEntry(stateFolder, { ...entry, owner: { ...entry.owner, ...owner } })
}

function openEntry(stateFolder: string): Entry {
  const entry = entriesIn(stateFolder).find(({ record }) => record.state === 'sending')
  if (entry === undefined) throw new Error('no open record')
  return entry
}

function sleeper(): number {
  const child = spawn('sleep', ['600'], { stdio: 'ignore' })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child.pid ?? 0
}

describe.runIf(hasProc)('an open refund', () => {
  test('is in progress while its process lives, even if it is stopped', async () => {
    const world = await createWorld(1)
    const id = await makeSettledPayment(world, 'A')
    const running = await startHangingRefund(world, id)
    running.kill('SIGSTOP')
    expect(await stateOf(world)).toBe('sending')
    const [record] = await listRecords(world)
    for (const words of [`payment refund ${id} --amount 1 --json`, `ops resolve ${record?.id} --json`]) {
      const { exitCode, stderr } = await world.pay(words)
      expect(exitCode, stderr).toBe(6)
      expect(JSON.parse(stderr.trim())).toMatchObject({ error: { code: 'in_progress' } })
    }
    running.kill('SIGKILL')
    await running.ended
    expect(await stateOf(world)).toBe('in-doubt')
    expect((await world.pay('ops resolve --all')).exitCode).toBe(0)
    expect(at(await readPayment(world, id), 'processor', 'amountRefunded')).toBe(700)
  })

  test('is in doubt if another process has its pid', async () => {
    const world = await createWorld(2)
    const id = await makeSettledPayment(world, 'A')
    const running = await startHangingRefund(world, id)
    running.kill('SIGKILL')
    await running.ended
    const pid = sleeper()
    setOwner(world, { pid, startedAt: startInProc(pid) })
    expect(await stateOf(world)).toBe('sending')
    setOwner(world, { pid, startedAt: startInProc(process.pid) })
    expect(await stateOf(world)).toBe('in-doubt')
    const blocked = await world.pay(`payment refund ${id} --amount 1 --json`)
    expect(blocked.exitCode).toBe(6)
    expect(JSON.parse(blocked.stderr.trim())).toMatchObject({ error: { code: 'open_intent' } })
    expect((await world.pay('ops resolve --all')).exitCode).toBe(0)
    expect(at(await readPayment(world, id), 'processor', 'amountRefunded')).toBe(700)
  })

  test('is in doubt if its process is a zombie', async () => {
    const world = await createWorld(3)
    const id = await makeSettledPayment(world, 'A')
    await hold(world)
    const { stateFolder } = world
    const child = spawn(
      'sh',
      ['-c', '"$0" "$@" & exec sleep 600', process.execPath, PAY, 'payment', 'refund', id, '--amount', '700'],
      { env: { ...world.env, PATH: process.env['PATH'] ?? '' }, stdio: 'ignore' },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    await until(() => hasArrived(world))
    const pid = openEntry(stateFolder).owner?.pid ?? 0
    expect(await stateOf(world)).toBe('sending')
    process.kill(pid, 'SIGKILL')
    await until(async () => startInProc(pid) === 'ended')
    expect(await stateOf(world)).toBe('in-doubt')
  })
})
