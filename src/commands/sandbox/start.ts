import { SANDBOX_PORT } from '../../api/sandbox-port.ts'
import { switchFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { readyServerView } from '../../views/sandbox/server.ts'
import { FOLDER_FLAG } from './local-sandbox.ts'
import { serveHere } from './serve-here.ts'
import { serveInBackground } from './serve-in-background.ts'
import { isLocal, readServeOptions } from './serve-options.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'start'],
  summary: 'Serve the sandbox over HTTP, to any client in any language',
  details: [
    'Ready when its first line is printed; with --json that line is one JSON object. It then runs until Ctrl-C, SIGTERM or pay sandbox stop, and answers what is under way before it ends.',
    'It shares its data with pay --sandbox and with other servers on the same folder. --background returns when it is ready; -o id prints the URL alone.',
  ].join('\n\n'),
  examples: [
    { says: 'until Ctrl-C', line: 'pay sandbox start' },
    { says: 'in the background, on a free port', line: 'pay sandbox start --background --port 0' },
    { says: 'for one test run: data of its own', line: 'pay sandbox start --ephemeral --port 0 --json' },
  ],
  flags: {
    port: { kind: 'count', value: 'N', help: `Port (default ${SANDBOX_PORT}); 0 takes one that is free` },
    host: {
      kind: 'text',
      value: 'HOST',
      help: 'Address to listen on (default 127.0.0.1: this machine only); others need --allow-host',
    },
    'allow-host': {
      kind: 'texts',
      value: 'NAME',
      help: 'Host name by which clients may ask for it, beside localhost; repeatable',
    },
    data: { ...FOLDER_FLAG.data, help: 'Folder to serve (default: that of pay --sandbox)' },
    ephemeral: { kind: 'switch', help: 'Serve a fresh folder, removed at the end' },
    idempotency: {
      kind: 'text',
      value: 'STYLE',
      choices: ['reject', 'replay'],
      help: 'A used idempotency key: reject (409, the default) or replay the first answer',
    },
    background: { kind: 'switch', help: 'Return when it is ready; pay sandbox stop ends it' },
  },
  run,
  risk: 'write',
  effect: 'Starts a server on this machine: no real money. Undone by pay sandbox stop.',
  related: ['sandbox status', 'sandbox stop'],
}

async function run(invocation: Invocation, input: CommandInput): Promise<Result> {
  const options = readServeOptions(invocation)
  await invocation.note('embedded sandbox: no real money')
  if (!isLocal(options.host))
    await invocation.warn(
      `Warning: other machines can reach ${options.host}. Anyone with one of the keys below can use the sandbox, and empty it; they are shown only once.`,
    )
  if (switchFlag(input, 'background'))
    return onOneLine(
      resultOf(await serveInBackground(invocation, options), readyServerView('pay sandbox stop')),
    )
  const { ready, running } = await serveHere(invocation, options)
  return { ...onOneLine(resultOf(ready, readyServerView('Ctrl-C, or pay sandbox stop'))), running }
}

/** Programs read the first line and go on: JSON that is spread over several would have no end for them. */
const onOneLine = (result: Result): Result => ({
  ...result,
  render: (presentation) =>
    result.render({
      ...presentation,
      format: presentation.format === 'json' ? 'ndjson' : presentation.format,
    }),
})
