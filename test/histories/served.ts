import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { onTestFinished } from 'vitest'
import { textAt } from '../sandbox/service.ts'
import { PAY } from '../support/spawn-pay.ts'

export interface Served {
  readonly url: string
  /** Resolves when the process has ended. */
  readonly kill: (signal: NodeJS.Signals) => Promise<void>
}

/** The built program, serving a folder in a separate process. */
export async function serveFolder(folder: string): Promise<Served> {
  const child = spawn(
    process.execPath,
    [PAY, 'sandbox', 'start', '--port', '0', '--json', '--data', folder],
    {
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, PAY_STATE_DIR: `${folder}-state` },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const gone = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal)
    return gone
  }
  onTestFinished(() => kill('SIGKILL'))
  const line = await firstLine(child)
  return { url: textAt(JSON.parse(line), 'url'), kill }
}

async function firstLine({ stdout, stderr }: ChildProcess): Promise<string> {
  if (stdout === null || stderr === null) throw new Error('no pipes')
  let errors = ''
  stderr.on('data', (text) => {
    errors += String(text)
  })
  for await (const line of createInterface({ input: stdout })) {
    stdout.resume()
    return line
  }
  throw new Error(`the server did not start: ${errors}`)
}
