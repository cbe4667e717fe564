import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startByPs } from '../../../src/client/ledger/process-start-by-ps.ts'
import { namespaceInProc, startInProc } from '../../../src/client/ledger/process-start.ts'

const hasProc = existsSync('/proc/self/stat')

/** Starts a process that runs until the test ends; resolves with its first line of output. */
async function startProcess(file: string, args: readonly string[]) {
  const child = spawn(file, [...args], { stdio: ['pipe', 'pipe', 'ignore'] })
  const gone = new Promise<void>((resolve) => child.on('close', () => resolve()))
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await gone
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const { value }: { readonly value?: unknown } = await lines.next()
  return {
    pid: child.pid ?? 0,
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    gone,
    line: String(value),
  }
}

const waiting = () => startProcess('sh', ['-c', 'echo ready; exec cat'])

/** Polls, because the system doesn't report when a process has changed. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo())
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
}

const stateOf = (pid: number): string | undefined =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.charAt(0)

describe.runIf(hasProc)('when a process started, from /proc', () => {
  test('is stable for a process and differs between processes', async () => {
    const [one, other] = [await waiting(), await waiting()]
    expect(startInProc(one.pid)).toMatch(/^[\da-f]{8}-\d+$/)
    expect(startInProc(one.pid)).toBe(startInProc(one.pid))
    expect(startInProc(process.pid)).not.toBe(startInProc(other.pid))
  })

  test('is known for a stopped process', async () => {
    const { pid, kill } = await waiting()
    const before = startInProc(pid)
    kill('SIGSTOP')
    await until(() => stateOf(pid) === 'T')
    expect(startInProc(pid)).toBe(before)
  })

  test('is undefined for a process that has ended', async () => {
    const { pid, kill, gone } = await waiting()
    kill('SIGKILL')
    await gone
    expect(startInProc(pid)).toBeUndefined()
  })

  test('is "ended" for a zombie', async () => {
    const { line, pid: parent } = await startProcess('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'])
    const pid = Number(line)
    // A shell would collect its child, so it is replaced.
    await until(() => readFileSync(`/proc/${parent}/comm`, 'utf8') === 'sleep\n')
    process.kill(pid, 'SIGKILL')
    await until(() => stateOf(pid) === 'Z')
    expect(process.kill(pid, 0)).toBe(true)
    expect(startInProc(pid)).toBe('ended')
  })

  test('is found behind a process name that looks like fields', async () => {
    const { pid } = await startProcess(process.execPath, [
      '-e',
      'process.title = "a) Z 1 1 ("; console.log(1); setInterval(() => {}, 1e6)',
    ])
    expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toContain('a) Z 1')
    expect(startInProc(pid)).toMatch(/^[\da-f]{8}-\d+$/)
  })
})

describe.runIf(process.platform !== 'win32')('when a process started, from ps', () => {
  test('is stable', async () => {
    const { pid } = await waiting()
    expect(startByPs(pid)).toMatch(/\d\d:\d\d:\d\d \d{4}$/)
    expect(startByPs(pid)).toBe(startByPs(pid))
  })

  test('is undefined for a process that has ended', async () => {
    const { pid, kill, gone } = await waiting()
    kill('SIGKILL')
    await gone
    expect(startByPs(pid)).toBeUndefined()
  })

  test('does not depend on time zone or language', () => {
    const before = startByPs(process.pid)
    const { TZ, LC_ALL } = process.env
    onTestFinished(() => {
      for (const [name, value] of Object.entries({ TZ, LC_ALL }))
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
    })
    process.env['TZ'] = 'Asia/Tokyo'
    process.env['LC_ALL'] = 'de_DE.UTF-8'
    expect(startByPs(process.pid)).toBe(before)
  })
})

test.skipIf(!hasProc)('processes that can see each other share a namespace', async () => {
  const { line } = await startProcess('sh', ['-c', 'readlink /proc/self/ns/pid; exec cat'])
  expect(namespaceInProc()).toMatch(/^pid:\[\d+\]$/)
  expect(namespaceInProc()).toBe(line)
})

test.skipIf(hasProc)('the namespace is undefined without /proc', () => {
  expect(namespaceInProc()).toBeUndefined()
})
