import { randomBytes, randomUUID } from 'node:crypto'
import { closeSync, openSync, readSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from './cli/run.ts'
import type { Context, Input, Output } from './cli/context.ts'
import { TREE } from './commands/tree.ts'
import { configFolder, stateFolder } from './config/paths.ts'
import { UsageError } from './errors.ts'
import { createMemoryLedger } from './ledger/memory.ts'
import { VERSION } from './version.ts'

/** The only file that touches `process`: it builds the real Context and calls run(). */

const places = { env: process.env, platform: process.platform, home: homedir(), cwd: process.cwd() }
const newId = (): string => randomUUID()
const random = (): number => randomBytes(6).readUIntBE(0, 6) / 2 ** 48

const stop = new AbortController()
const abandon = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (stop.signal.aborted) abandon.abort(signal)
    stop.abort(signal)
  })
}

const context: Context = {
  version: VERSION,
  env: process.env,
  cwd: places.cwd,
  configFolder: configFolder(places),
  stateFolder: stateFolder(places),
  sandboxFolder: join(stateFolder(places), 'sandbox'),
  timeZone: undefined,
  stdout: outputOf(process.stdout),
  stderr: outputOf(process.stderr),
  stdin: stdinOf(process.stdin),
  uid: process.getuid?.(),
  now: () => new Date(),
  random,
  newId,
  sleep,
  interruption: { stop: stop.signal, abandon: abandon.signal },
  userAgent: `payctl/${VERSION} (${process.platform}; node ${process.versions.node})`,
  prompts: async () => {
    const { createPrompts } = await import('./cli/prompts.ts')
    return createPrompts({ input: process.stdin, output: process.stderr })
  },
  connect: async (account) => {
    if (account.kind === 'sandbox') {
      const { openSandbox } = await import('./sandbox/sandbox.ts')
      const sandbox = await openSandbox({ folder: context.sandboxFolder, now: context.now, random })
      return { send: (request) => sandbox.handle(request), close: () => sandbox.close() }
    }
    const { createTransport } = await import('./http/transport.ts')
    return createTransport({ env: process.env })
  },
  ledger: createMemoryLedger(newId),
  readFile,
  writeFile: (path, text) => {
    try {
      writeFileSync(resolve(places.cwd, path), text)
    } catch (error) {
      throw new UsageError(
        `${path} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
        { code: 'unwritable_file', cause: error },
      )
    }
  },
}

void main()

async function main(): Promise<void> {
  process.exitCode = await run(TREE, process.argv.slice(2), context)
}

function outputOf(stream: NodeJS.WriteStream): Output {
  // A reader that has seen enough closes the pipe: that is its right, and no error.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  return {
    write: (text) =>
      new Promise((written) => {
        if (text === '' || stream.destroyed) written()
        else stream.write(text, () => written())
      }),
    isTTY: Boolean(stream.isTTY),
    columns: Boolean(stream.isTTY) ? stream.columns : undefined,
  }
}

function stdinOf(stream: NodeJS.ReadStream): Input {
  return {
    isTTY: Boolean(stream.isTTY),
    read: async (limitBytes) => {
      const chunks: Uint8Array[] = []
      let size = 0
      for await (const chunk of stream) {
        const bytes =
          typeof chunk === 'string'
            ? Buffer.from(chunk)
            : chunk instanceof Uint8Array
              ? chunk
              : Buffer.alloc(0)
        size += bytes.length
        if (size > limitBytes) throw tooLarge('stdin', limitBytes)
        chunks.push(bytes)
      }
      return Buffer.concat(chunks)
    },
  }
}

function readFile(path: string, limitBytes: number): Uint8Array {
  const file = openFile(path)
  try {
    const chunks: Uint8Array[] = []
    let size = 0
    for (;;) {
      const chunk = Buffer.alloc(64 * 1024)
      const read = readSync(file, chunk)
      if (read === 0) return Buffer.concat(chunks)
      size += read
      if (size > limitBytes) throw tooLarge(path, limitBytes)
      chunks.push(chunk.subarray(0, read))
    }
  } catch (error) {
    throw error instanceof UsageError ? error : unreadable(path, error)
  } finally {
    closeSync(file)
  }
}

function openFile(path: string): number {
  try {
    return openSync(resolve(places.cwd, path), 'r')
  } catch (error) {
    throw unreadable(path, error)
  }
}

const tooLarge = (where: string, limitBytes: number): UsageError =>
  new UsageError(`${where} holds more than ${Math.round(limitBytes / 1024)} KB`, {
    code: 'too_large',
    outcome: 'none',
  })

const unreadable = (path: string, cause: unknown): UsageError =>
  new UsageError(`${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
    code: 'unreadable_file',
    outcome: 'none',
    cause,
  })

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((wake) => {
    if (signal.aborted) return wake()
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      wake()
    }
  })
}
