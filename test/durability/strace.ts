import { spawn, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Operation } from './operation.ts'

/** Records system calls with strace: SQLite's writes can't be seen from inside Node. */

/** Some machines have no strace, or forbid it. */
export const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0

const CALLS = [
  'open,openat,creat,close,write,pwrite64,writev,pwritev,fsync,fdatasync,ftruncate,rename,renameat,renameat2',
  'link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat,accept,accept4,connect,epoll_pwait,exit_group',
].join(',')

export interface Traced {
  /** The first line on stdout. Rejects if the program ends without one. */
  readonly firstLine: Promise<string>
  readonly stop: () => void
  readonly ended: Promise<TracedEnd>
}

interface TracedEnd {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
  readonly operations: readonly Operation[]
}

export function startTraced(
  args: readonly string[],
  options: {
    readonly root: string
    readonly env: Readonly<Record<string, string>>
    readonly stdin?: string | undefined
  },
): Traced {
  const log = `${options.root}.trace`
  const strace = ['-f', '-qq', '-xx', '-s', '4000000', '-e', `trace=${CALLS}`, '-e', 'signal=none', '-o', log]
  const child = spawn('strace', [...strace, process.execPath, ...args], {
    cwd: options.root,
    env: { ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {}).end(options.stdin ?? '')
  const kept = { stdout: '', stderr: '' }
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    kept.stderr += text
  })
  child.stdout.setEncoding('utf8')
  const firstLine = new Promise<string>((done, failed) => {
    child.stdout.on('data', (text: string) => {
      kept.stdout += text
      if (kept.stdout.includes('\n')) done(kept.stdout.slice(0, kept.stdout.indexOf('\n')))
    })
    child.on('close', () => failed(new Error(`it ended without a line: ${kept.stderr}`)))
  })
  firstLine.catch(() => {})
  const ended = new Promise<TracedEnd>((done, failed) => {
    child.on('error', failed)
    child.on('close', (exitCode) => {
      const operations = operationsIn(readFileSync(log, 'utf8'), options.root)
      rmSync(log)
      done({ exitCode, ...kept, operations })
    })
  })
  // The signal goes to the traced program, then strace ends too.
  const stop = () => process.kill(Number(/^\d+/.exec(readFileSync(log, 'utf8'))?.[0]), 'SIGTERM')
  return { firstLine, stop, ended }
}

/** A system call: its name, its arguments as printed, and its result. */
interface Call {
  readonly name: string
  readonly args: string
  readonly result: number
}

/** The calls in the order in which they ended. strace prints a call in two parts if another thread interrupts it. */
function* callsIn(log: string): Generator<Call> {
  const begun = new Map<string, string>()
  for (const line of log.split('\n')) {
    const [, thread = '', text = ''] = /^(\d+)\s+(.*)$/.exec(line) ?? []
    if (text.endsWith(' <unfinished ...>')) {
      begun.set(thread, text.slice(0, -' <unfinished ...>'.length))
      continue
    }
    const [, rest] = /^<\.\.\. \w+ resumed>(.*)$/.exec(text) ?? []
    const whole = rest === undefined ? text : (begun.get(thread) ?? '') + rest
    const [, name, args, result] = /^(\w+)\((.*)\)\s+= (-?\d+|\?)/.exec(whole) ?? []
    if (name === undefined || args === undefined) continue
    yield { name, args, result: result === '?' ? 0 : Number(result) }
  }
}

function operationsIn(log: string, root: string): readonly Operation[] {
  const operations: Operation[] = []
  const [files, sockets] = [new Set<number>(), new Set<number>()]
  const place = (text: string): string => resolve(root, text)
  const isOurs = (path: string): boolean => path === root || path.startsWith(`${root}/`)
  for (const { name, args, result } of callsIn(log)) {
    if (result < 0 && name !== 'connect') continue
    const paths = textsIn(args).map((bytes) => place(bytes.toString('utf8')))
    const [path = '', to = ''] = paths
    const fd = Number(/^\d+/.exec(args)?.[0])
    switch (name) {
      case 'open':
      case 'openat':
        if (!isOurs(path)) break
        files.add(result)
        operations.push({ op: 'open', fd: result, path, ...flagsIn(args) })
        break
      case 'accept':
      case 'accept4':
        sockets.add(result)
        break
      case 'connect':
        // It goes on in the background, which counts as an error.
        if (args.includes('AF_INET')) sockets.add(fd)
        break
      case 'epoll_pwait':
        for (const [, ready] of args.matchAll(/EPOLLIN\b[^}]*\{u32=(\d+)/g))
          if (sockets.has(Number(ready))) operations.push({ op: 'receive' })
        break
      case 'close':
        sockets.delete(fd)
        if (files.delete(fd)) operations.push({ op: 'close', fd })
        break
      case 'write':
      case 'writev':
      case 'pwrite64':
      case 'pwritev': {
        const bytes = Buffer.concat(textsIn(args)).subarray(0, result)
        const at = name.startsWith('p') ? Number(/, (\d+)$/.exec(args)?.[1]) : null
        if (files.has(fd)) operations.push({ op: 'write', fd, at, data: bytes.toString('base64') })
        else if (fd === 1 || fd === 2) operations.push({ op: 'say', fd, text: bytes.toString('utf8') })
        else if (sockets.has(fd)) operations.push({ op: 'send', text: bytes.toString('utf8') })
        break
      }
      case 'fsync':
      case 'fdatasync':
        if (files.has(fd)) operations.push({ op: 'sync', fd })
        break
      case 'ftruncate':
        if (files.has(fd)) operations.push({ op: 'truncate', fd, length: Number(/, (\d+)$/.exec(args)?.[1]) })
        break
      case 'rename':
      case 'renameat':
      case 'renameat2':
        if (isOurs(path)) operations.push({ op: 'rename', from: path, to })
        break
      case 'link':
      case 'linkat':
        if (isOurs(path)) operations.push({ op: 'link', from: path, to })
        break
      case 'unlink':
      case 'unlinkat':
      case 'rmdir':
        if (isOurs(path)) operations.push({ op: 'unlink', path })
        break
      case 'mkdir':
      case 'mkdirat':
        if (isOurs(path)) operations.push({ op: 'mkdir', path })
        break
      case 'exit_group':
        operations.push({ op: 'exit', code: fd })
        break
      default:
        throw new Error(`unknown system call: ${name}`)
    }
  }
  return operations
}

/** The string arguments. With -xx strace prints every byte in hexadecimal. */
const textsIn = (args: string): readonly Buffer[] =>
  [...args.matchAll(/"((?:\\x[\da-f]{2})*)"/g)].map(([, hex = '']) =>
    Buffer.from(hex.replaceAll('\\x', ''), 'hex'),
  )

const flagsIn = (args: string) => ({
  creates: args.includes('O_CREAT'),
  isNew: args.includes('O_EXCL'),
  truncates: args.includes('O_TRUNC'),
  appends: args.includes('O_APPEND'),
})
