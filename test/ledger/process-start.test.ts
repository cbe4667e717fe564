import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startByPs } from '../../src/ledger/process-start-by-ps.ts'
import { namespaceInProc, startInProc } from '../../src/ledger/process-start.ts'

const hasProc = existsSync('/proc/self/stat')

/** A process that is there until it is ended, and the first line it prints. */
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

/** Looks until it is so: the system says when a process has changed, and tells nobody. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo())
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
}

const stateOf = (pid: number): string | undefined =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.charAt(0)

describe.runIf(hasProc)('when a process started, from /proc', () => {
  test('is the same however often it is asked, and another for another process', async () => {
    const [one, other] = [await waiting(), await waiting()]
    expect(startInProc(one.pid)).toMatch(/^[\da-f]{8}-\d+$/)
    expect(startInProc(one.pid)).toBe(startInProc(one.pid))
    expect(startInProc(process.pid)).not.toBe(startInProc(other.pid))
  })

  test('is told of one that was stopped', async () => {
    const { pid, kill } = await waiting()
    const before = startInProc(pid)
    kill('SIGSTOP')
    await until(() => stateOf(pid) === 'T')
    expect(startInProc(pid)).toBe(before)
  })

  test('is unknown of one that is gone', async () => {
    const { pid, kill, gone } = await waiting()
    kill('SIGKILL')
    await gone
    expect(startInProc(pid)).toBeUndefined()
  })

  test('is over for one that nobody asked for after its end: it has a number still', async () => {
    const { line, pid: parent } = await startProcess('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'])
    const pid = Number(line)
    // As long as it is a shell it asks for its children.
    await until(() => readFileSync(`/proc/${parent}/comm`, 'utf8') === 'sleep\n')
    process.kill(pid, 'SIGKILL')
    await until(() => stateOf(pid) === 'Z')
    expect(process.kill(pid, 0)).toBe(true)
    expect(startInProc(pid)).toBe('ended')
  })

  test('is found behind a name that looks like more fields', async () => {
    const { pid } = await startProcess(process.execPath, [
      '-e',
      'process.title = "a) Z 1 1 ("; console.log(1); setInterval(() => {}, 1e6)',
    ])
    expect(readFileSync(`/proc/${pid}/comm`, 'utf8')).toContain('a) Z 1')
    expect(startInProc(pid)).toMatch(/^[\da-f]{8}-\d+$/)
  })
})

describe.runIf(process.platform !== 'win32')('when a process started, from ps', () => {
  test('is the same however often it is asked', async () => {
    const { pid } = await waiting()
    expect(startByPs(pid)).toMatch(/\d\d:\d\d:\d\d \d{4}$/)
    expect(startByPs(pid)).toBe(startByPs(pid))
  })

  test('is unknown of one that is gone', async () => {
    const { pid, kill, gone } = await waiting()
    kill('SIGKILL')
    await gone
    expect(startByPs(pid)).toBeUndefined()
  })

  test('does not hang on the zone or language of whoever asks', () => {
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

test.skipIf(!hasProc)(
  'the namespace of process numbers is the same for all that see each other',
  async () => {
    const { line } = await startProcess('sh', ['-c', 'readlink /proc/self/ns/pid; exec cat'])
    expect(namespaceInProc()).toMatch(/^pid:\[\d+\]$/)
    expect(namespaceInProc()).toBe(line)
  },
)

test.skipIf(hasProc)('there is no namespace of process numbers where there is no /proc', () => {
  expect(namespaceInProc()).toBeUndefined()
})
