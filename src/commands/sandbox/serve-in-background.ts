import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fieldAt } from '../../json/fields.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { EXIT, interruptedBy, PayError } from '../../errors.ts'
import {
  unregisterServer,
  isReadyServer,
  isRegistered,
  logPath,
  makeServersFolder,
} from '../../sandbox/serve/registry.ts'
import type { ReadyServer } from '../../sandbox/serve/registry.ts'
import { argumentsFor } from './serve-options.ts'
import type { ServeOptions } from './serve-options.ts'

/** Starts a server that outlives this command and its terminal, and waits until it is ready. */
export async function serveInBackground(
  { context }: Invocation,
  options: ServeOptions,
): Promise<ReadyServer> {
  const folder = makeServersFolder(context.stateFolder)
  const logFile = join(folder, `starting-${context.newId()}.log`)
  const { stop } = context.interruption
  const args = ['sandbox', 'start', ...argumentsFor(options), '--json', '--quiet']
  try {
    const line = await context.program.respawn(args, { logFile, signal: stop, isExpected: isReady })
    const ready = line === undefined ? undefined : readJson(line)
    if (isReadyServer(ready)) {
      keepLog(logFile, { folder, id: ready.id })
      return ready
    }
    const output = readFileSync(logFile, 'utf8')
    throw stop.aborted ? interruptedBy(stop, 'Interrupted: no server was left running.') : parseError(output)
  } finally {
    rmSync(logFile, { force: true })
  }
}

const isReady = (line: string): boolean => isReadyServer(readJson(line))

/** If the server has already ended, it couldn't delete this log. */
function keepLog(logFile: string, { folder, id }: { readonly folder: string; readonly id: string }): void {
  renameSync(logFile, logPath(folder, id))
  if (!isRegistered(folder, id)) unregisterServer(folder, id)
}

/** Rebuilds the error that the server printed. */
function parseError(output: string): PayError {
  const lastLine = output.trimEnd().split('\n').at(-1) ?? ''
  const printed = fieldAt(readJson(lastLine), ['error'])
  const [code, message, hint, next] = ['code', 'message', 'hint', 'next'].map((field) =>
    fieldAt(printed, [field]),
  )
  const exitCode = Object.values(EXIT).find((known) => known === fieldAt(printed, ['exitCode']))
  if (typeof code !== 'string' || typeof message !== 'string' || exitCode === undefined)
    return new PayError('internal', EXIT.internal, 'The server ended before it was ready', {
      outcome: 'none',
      hint: lastLine === '' ? undefined : `Its last output: ${lastLine}`,
    })
  return new PayError(code, exitCode, message, {
    outcome: 'none',
    hint: typeof hint === 'string' ? hint : undefined,
    next: Array.isArray(next) ? next.filter((command) => typeof command === 'string') : undefined,
  })
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
