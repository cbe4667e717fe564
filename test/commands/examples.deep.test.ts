import { cpSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createSpawnBench } from '../support/spawn-pay.ts'
import { envFor, SHELL_EXAMPLES, useExampleFiles } from './example-lines.ts'

/** Starts a server in the background, waits until it is listed, and stops it. Uses a free port. */
const served = (line: string): string =>
  line.includes('--background')
    ? `${line} && pay sandbox stop -q`
    : [
        `${line}${line.includes('--port') ? '' : ' --port 0'} & server=$!`,
        'until [ "$(pay sandbox status -q -o id)" ] || ! kill -0 $server; do :; done',
        'pay sandbox stop -q && wait $server',
      ].join('\n')

/** Runs a line while a server is running, with a browser that does nothing. */
const besideServer = (line: string): string =>
  [
    'pay sandbox start --background --port 0 -q > /dev/null',
    `PATH="$PWD/bin:$PATH"; ${line}`,
    'code=$?; pay sandbox stop -q > /dev/null; exit $code',
  ].join('\n')

/** A served sandbox is the account. If the line reads an earlier comparison, its file is there. */
const besideAccount = (line: string): string =>
  [
    'URL=$(pay sandbox start --background --port 0 -q -o id)',
    'printf sandbox_all | pay profile add shop --base-url "$URL" --test --api-key-stdin -q > /dev/null',
    line.includes('--against') ? 'pay sandbox compare --profile shop --out shop.json -q > /dev/null' : ':',
    `${line}; code=$?; pay sandbox stop -q > /dev/null; exit $code`,
  ].join('\n')

/** What follows requests ends when nobody reads it any more. */
const untilClosed = (line: string): string =>
  line.includes('--follow')
    ? [
        `${line} | head -n 1 > "$HOME/seen" &`,
        'until [ -s "$HOME/seen" ]; do pay payment list -q > /dev/null; done',
        'pay payment list -q > /dev/null; wait',
      ].join('\n')
    : line

/** Signs without a question, for a profile that names no signers, with a key that an agent holds too. */
const withAgent = (line: string): string =>
  [
    "mkdir ~/.ssh && ssh-keygen -q -t ed25519 -N '' -f ~/.ssh/id_ed25519",
    'eval "$(ssh-agent -s)" > /dev/null && ssh-add -q ~/.ssh/id_ed25519',
    `${line} --yes${line.includes('--principal') ? '' : ' --principal ben@example.com'}`,
    'code=$?; ssh-agent -k > /dev/null; exit $code',
  ].join('\n')

/** Without a terminal, a command that needs one names the commands for scripts. */
const withoutTerminal = (line: string): string => `${line} 2>&1 | grep -q 'pay find'`

const WRAPPED: Readonly<Record<string, (line: string) => string>> = {
  'sandbox start': served,
  'sandbox open': besideServer,
  'sandbox compare': besideAccount,
  'sandbox requests': untilClosed,
  'batch approve': withAgent,
  desk: withoutTerminal,
}

const { prepare } = useExampleFiles()

test.concurrent.each(SHELL_EXAMPLES)('%s', async (line, path) => {
  const own = createSpawnBench()
  try {
    const { bench, variables } = await prepare(path)
    cpSync(bench.folder, own.folder, { recursive: true })
    bench.dispose()
    const ran = await own.shell(WRAPPED[path]?.(line) ?? line, { env: { ...envFor(path), ...variables } })
    const hint = `Examples run the built program (npm run build). BEFORE prepares what they need.\n${ran.stderr}`
    expect(ran.stderr, hint).not.toContain('✗')
    expect(ran.exitCode).toBe(0)
  } finally {
    own.dispose()
  }
})
