import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { respawn } from '../../../src/cli/process/programs.ts'
import { useFolder } from '../../support/folder.ts'

const folder = useFolder()
const logFile = () => join(folder(), 'log')

const never = new AbortController().signal
const FOR_EVER = 'setInterval(() => {}, 1000)'
/** A small program instead of pay. */
const run = (
  program: string,
  words: readonly string[] = [],
  {
    signal = never,
    isExpected = () => true,
  }: { signal?: AbortSignal; isExpected?: (line: string) => boolean } = {},
) =>
  respawn({ file: process.execPath, args: ['-e', program, '--'] }, words, {
    logFile: logFile(),
    signal,
    isExpected,
  })

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('waits for the first line, and leaves the program running', async () => {
  const line = await run(`console.log(process.pid + '\\n' + 'more'); ${FOR_EVER}`)
  const pid = Number(line)
  expect(isAlive(pid)).toBe(true)
  process.kill(pid, 'SIGKILL')
})

test('passes the arguments unchanged', async () => {
  const line = await run('console.log(JSON.stringify(process.argv.slice(1)))', ['--data=/a b', "it's", ''])
  expect(JSON.parse(line ?? '')).toEqual(['--data=/a b', "it's", ''])
})

test('joins a line that arrives in pieces', async () => {
  expect(await run("process.stdout.write('one '); setTimeout(() => console.log('line'), 20)")).toBe(
    'one line',
  )
})

test('returns nothing if it ends without a line, and keeps its output in a log that only its owner can read', async () => {
  expect(
    await run("process.stdout.write('half'); console.error('why'); process.exitCode = 3"),
  ).toBeUndefined()
  expect(readFileSync(logFile(), 'utf8')).toBe('why\n')
  expect(statSync(logFile()).mode & 0o777).toBe(0o600)
})

test('ends it if its first line is not the expected one', async () => {
  const heard: string[] = []
  const isExpected = (line: string) => {
    heard.push(line)
    return line === 'two'
  }
  const line = await run(`console.error(process.pid); console.log('one\\ntwo'); ${FOR_EVER}`, [], {
    isExpected,
  })
  expect(line).toBeUndefined()
  expect(heard).toEqual(['one'])
  expect(isAlive(Number(readFileSync(logFile(), 'utf8')))).toBe(false)
})

test('ends it on a signal', async () => {
  const stop = new AbortController()
  const started = run(FOR_EVER, [], { signal: stop.signal })
  stop.abort()
  expect(await started).toBeUndefined()
})

test('ends it if the signal came earlier', async () => {
  expect(await run(FOR_EVER, [], { signal: AbortSignal.abort() })).toBeUndefined()
})

test('rejects if it cannot be started or its log cannot be written', async () => {
  const missing = { file: join(folder(), 'nothing'), args: [] }
  const options = { logFile: logFile(), signal: never, isExpected: () => true }
  await expect(respawn(missing, [], options)).rejects.toThrow('ENOENT')
  await expect(respawn(missing, [], { ...options, logFile: join(folder(), 'no/log') })).rejects.toThrow(
    'ENOENT',
  )
})
