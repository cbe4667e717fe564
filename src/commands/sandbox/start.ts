import { SANDBOX_PORT } from '../../api/sandbox-port.ts'
import { switchFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { Result } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import { readyServerView } from './server-views.ts'
import { FOLDER_FLAG } from './local-sandbox.ts'
import { serveHere } from './serve-here.ts'
import { serveInBackground } from './serve-in-background.ts'
import { isLocal, readServeOptions } from './serve-options.ts'

export const command: CommandSpec = {
  path: ['sandbox', 'start'],
  summary: 'Serve the sandbox over HTTP to any client',
  details: [
    'The server is ready when it prints its first line; with --json, that line is one JSON object. It runs until Ctrl-C, SIGTERM or pay sandbox stop, and finishes requests in progress before it ends.',
    'It shares its data with pay --sandbox and with other servers on the same folder. --background returns when the server is ready; -o id prints only the URL.',
  ].join('\n\n'),
  examples: [
    { purpose: 'run until Ctrl-C', line: 'pay sandbox start' },
    { purpose: 'run in the background on a free port', line: 'pay sandbox start --background --port 0' },
    { purpose: 'use separate data for one test run', line: 'pay sandbox start --ephemeral --port 0 --json' },
  ],
  flags: {
    port: { kind: 'count', value: 'N', help: `Port (default ${SANDBOX_PORT}); 0 takes any free one` },
    host: {
      kind: 'text',
      value: 'HOST',
      help: 'Address to listen on (default 127.0.0.1, this machine only); others need --allow-host',
    },
    'allow-host': {
      kind: 'texts',
      value: 'NAME',
      help: 'Host name that clients may use besides localhost; repeatable',
    },
    'allow-origin': {
      kind: 'texts',
      value: 'URL',
      help: 'Origin of a page that may show the checkout in a frame, besides those of this machine; repeatable',
    },
    data: { ...FOLDER_FLAG.data, help: 'Folder to serve (default: the one of pay --sandbox)' },
    ephemeral: { kind: 'switch', help: 'Serve a new folder and remove it at the end' },
    idempotency: {
      kind: 'text',
      value: 'STYLE',
      choices: ['reject', 'replay'],
      help: 'For a used idempotency key: reject (409, the default) or replay the first response',
    },
    background: { kind: 'switch', help: 'Return when the server is ready; pay sandbox stop ends it' },
  },
  run,
  risk: 'write',
  effect: 'Starts a server on this machine: no real money. End it with pay sandbox stop.',
  related: ['sandbox open', 'sandbox status', 'sandbox stop'],
}

async function run(invocation: Invocation, input: CommandInput): Promise<Result> {
  const options = readServeOptions(invocation)
  await invocation.noteSandbox()
  if (!isLocal(options.host))
    await invocation.warn(
      `Warning: other machines can reach ${options.host}. Anyone with one of the keys below can use and empty the sandbox. The keys are shown only once.`,
    )
  if (switchFlag(input, 'background'))
    return onSingleLine(
      resultOf(await serveInBackground(invocation, options), readyServerView('pay sandbox stop')),
    )
  const { ready, running } = await serveHere(invocation, options)
  return { ...onSingleLine(resultOf(ready, readyServerView('Ctrl-C, or pay sandbox stop'))), running }
}

/** Programs read the first line and go on, so JSON must not span several lines. */
const onSingleLine = (result: Result): Result => ({
  ...result,
  render: (presentation) =>
    result.render({
      ...presentation,
      format: presentation.format === 'json' ? 'ndjson' : presentation.format,
    }),
})
