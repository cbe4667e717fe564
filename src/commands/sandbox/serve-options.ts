import { SANDBOX_PORT } from '../../api/sandbox-port.ts'
import { parseCount } from '../../cli/parse/count.ts'
import { listFlag, switchFlag, textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { isLoopback } from '../../config/base-url.ts'
import { UsageError } from '../../errors.ts'
import type { IdempotencyStyle } from '../../sandbox/perform.ts'
import { oneOf } from '../one-of.ts'
import { sandboxFolder } from './local-sandbox.ts'

/** How the sandbox is to be served. */
export interface ServeOptions {
  /** 0 takes one that is free. */
  readonly port: number
  readonly host: string
  /** Names by which clients may ask for it, beside `host` and those of loopback. */
  readonly allowedHosts: readonly string[]
  /** undefined for a fresh one that goes with the server. */
  readonly dataDir: string | undefined
  readonly idempotency: IdempotencyStyle
}

const STYLES = ['reject', 'replay'] as const satisfies readonly IdempotencyStyle[]

export function readServeOptions(invocation: Invocation): ServeOptions {
  const { input } = invocation
  const isEphemeral = switchFlag(input, 'ephemeral')
  const dataDir = sandboxFolder(invocation)
  if (isEphemeral && textFlag(input, 'data') !== undefined)
    throw new UsageError(
      '--data and --ephemeral contradict each other: one keeps the data, the other does not',
      {
        code: 'given_twice',
      },
    )
  const host = readHost(textFlag(input, 'host') ?? '127.0.0.1')
  const allowedHosts = listFlag(input, 'allow-host').map(readAllowedHost)
  if (!isLocal(host) && allowedHosts.length === 0) throw namesNoHost(host)
  return {
    port: readPort(textFlag(input, 'port') ?? String(SANDBOX_PORT)),
    host,
    allowedHosts,
    dataDir: isEphemeral ? undefined : dataDir,
    idempotency: oneOf('--idempotency', textFlag(input, 'idempotency') ?? 'reject', STYLES, {
      listed: STYLES.join(' or '),
    }),
  }
}

/** The same in words, for another run of the program. */
export const wordsOf = ({
  port,
  host,
  allowedHosts,
  dataDir,
  idempotency,
}: ServeOptions): readonly string[] => [
  `--port=${port}`,
  `--host=${host}`,
  ...allowedHosts.map((name) => `--allow-host=${name}`),
  dataDir === undefined ? '--ephemeral' : `--data=${dataDir}`,
  `--idempotency=${idempotency}`,
]

/** Whether only this machine reaches an address. */
export const isLocal = (host: string): boolean => isLoopback(host.includes(':') ? `[${host}]` : host)

export function readPort(text: string): number {
  const port = parseCount(text, '--port')
  if (port <= 65_535) return port
  throw new UsageError(`--port takes 0 to 65535, not ${port}`, { code: 'bad_value' })
}

/** Brackets are those of URLs. */
function readHost(text: string): string {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  if (/^[\w.:%-]+$/.test(host)) return host
  throw new UsageError(`--host takes a name or an address of this machine, not "${text}"`, {
    code: 'bad_value',
    hint: 'Such as 127.0.0.1, ::1, or 0.0.0.0 for every address',
  })
}

/** As a Host header has it, without its port. */
function readAllowedHost(text: string): string {
  const name = text.replace(/^\[(.*)\]$/, '$1').replace(/(?<=.)\.$/, '')
  const isAddress = /^[\da-f:.]*:[\da-f:.]*:[\da-f:.]*$/i.test(name)
  if (isAddress || /^[\w.-]+$/.test(name)) return name.toLowerCase()
  throw new UsageError(`--allow-host takes a host name or an address, not "${text}"`, {
    code: 'bad_value',
    hint: 'Without a scheme and a port, such as sandbox.example.test or 192.168.1.20',
  })
}

function namesNoHost(host: string): UsageError {
  const name = /^(?:0\.0\.0\.0|::)$/.test(host) ? 'NAME' : host
  return new UsageError(`--host ${host} lets in other machines: --allow-host is needed`, {
    code: 'missing_input',
    outcome: 'none',
    hint: 'Name every host name or address that clients use for this server. The server then takes keys of its own.',
    next: [`pay sandbox start --host ${host} --allow-host ${name}`],
  })
}
