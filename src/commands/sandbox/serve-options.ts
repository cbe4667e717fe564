import { SANDBOX_PORT } from '../../api/sandbox-port.ts'
import { parseCount } from '../../cli/parse/count.ts'
import { listFlag, switchFlag, textFlag } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { isLoopback } from '../../text/loopback.ts'
import { UsageError } from '../../errors.ts'
import { flagWord } from '../../files/shell.ts'
import { SANDBOX_KEYS } from '../../sandbox/domain/accounts.ts'
import type { IdempotencyStyle } from '../../sandbox/pipeline/process-request.ts'
import { oneOf } from '../../cli/parse/choices.ts'
import { sandboxFolder } from './local-sandbox.ts'

/** How to serve the sandbox. */
export interface ServeOptions {
  /** 0 takes any free port. */
  readonly port: number
  readonly host: string
  /** Host names that clients may use, besides `host` and loopback names. */
  readonly allowedHosts: readonly string[]
  /** Origins of pages that may frame the checkout, besides those of this machine. */
  readonly allowedOrigins: readonly string[]
  /** Undefined for a new folder that is removed when the server ends. */
  readonly dataDir: string | undefined
  readonly idempotency: IdempotencyStyle
  /** A key that a server beyond loopback accepts besides those that it makes. */
  readonly namedKey: string | undefined
}

const STYLES = ['reject', 'replay'] as const satisfies readonly IdempotencyStyle[]

export function readServeOptions(invocation: Invocation): ServeOptions {
  const { input } = invocation
  const isEphemeral = switchFlag(input, 'ephemeral')
  const dataDir = sandboxFolder(invocation)
  if (isEphemeral && textFlag(input, 'data') !== undefined)
    throw new UsageError(
      '--data and --ephemeral cannot be used together: one keeps the data, the other removes it',
      {
        code: 'given_twice',
      },
    )
  const host = readHost(textFlag(input, 'host') ?? '127.0.0.1')
  const allowedHosts = listFlag(input, 'allow-host').map(readAllowedHost)
  if (!isLocal(host) && allowedHosts.length === 0) throw missingAllowedHost(host)
  return {
    port: readPort(textFlag(input, 'port') ?? String(SANDBOX_PORT)),
    host,
    allowedHosts,
    allowedOrigins: listFlag(input, 'allow-origin').map(readAllowedOrigin),
    dataDir: isEphemeral ? undefined : dataDir,
    idempotency: oneOf('--idempotency', textFlag(input, 'idempotency') ?? 'reject', STYLES),
    namedKey: isLocal(host) ? undefined : readNamedKey(invocation.context.env['PAY_SANDBOX_KEY']),
  }
}

/** The command-line arguments for another run of the program. */
export const argumentsFor = ({
  port,
  host,
  allowedHosts,
  allowedOrigins,
  dataDir,
  idempotency,
}: Omit<ServeOptions, 'namedKey'>): readonly string[] => [
  `--port=${port}`,
  `--host=${host}`,
  ...allowedHosts.map((name) => `--allow-host=${name}`),
  ...allowedOrigins.map((origin) => `--allow-origin=${origin}`),
  dataDir === undefined ? '--ephemeral' : `--data=${dataDir}`,
  `--idempotency=${idempotency}`,
]

/** Checks the key before the server starts; its value is in no message. */
function readNamedKey(key: string | undefined): string | undefined {
  if (key === undefined || key === '') return undefined
  if (SANDBOX_KEYS.some((published) => published.key === key))
    throw new UsageError('PAY_SANDBOX_KEY is one of the published keys, which protect nothing', {
      code: 'bad_value',
      hint: 'Make up another one: openssl rand -hex 16',
    })
  if (!/^[\x21-\x7e]{8,200}$/.test(key))
    throw new UsageError(
      'PAY_SANDBOX_KEY takes 8 to 200 letters, digits and punctuation of ASCII, without blanks',
      { code: 'bad_value', hint: 'Make one up: openssl rand -hex 16' },
    )
  return key
}

/** Whether only this machine can reach the address. */
export const isLocal = (host: string): boolean => isLoopback(host)

export function readPort(text: string): number {
  const port = parseCount(text, '--port')
  if (port <= 65_535) return port
  throw new UsageError(`--port must be from 0 to 65535, not ${port}`, { code: 'bad_value' })
}

/** Reads an address to listen on. URLs put IPv6 addresses in brackets. */
function readHost(text: string): string {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  if (/^[\w.:%-]+$/.test(host)) return host
  throw new UsageError(`--host needs a name or an address of this machine, not "${text}"`, {
    code: 'bad_value',
    hint: 'For example 127.0.0.1, ::1, or 0.0.0.0 for every address',
  })
}

/** Reads a name as in a Host header, without the port. */
function readAllowedHost(text: string): string {
  const name = text.replace(/^\[(.*)\]$/, '$1').replace(/(?<=.)\.$/, '')
  const isAddress = /^[\da-f.]*:[\da-f.]*:[\da-f:.]*$/i.test(name)
  if (isAddress || /^[\w.-]+$/.test(name)) return name.toLowerCase()
  throw new UsageError(`--allow-host needs a host name or an address, not "${text}"`, {
    code: 'bad_value',
    hint: 'Leave out scheme and port, as in sandbox.example.test or 192.168.1.20',
  })
}

/** Reads an origin: scheme, host and port, as browsers report them. */
function readAllowedOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isOrigin = url !== undefined && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  // No asterisk, which would match any name, and no IPv6 address, which browsers don't accept in a policy.
  if (isOrigin && /^[a-z\d._-]+(?::\d+)?$/.test(url.host)) return url.origin
  throw new UsageError(`--allow-origin needs the origin of a page, not "${text}"`, {
    code: 'bad_value',
    hint: 'Give scheme, host name and port, without a path: https://shop.example.test or http://192.168.1.20:3000',
  })
}

function missingAllowedHost(host: string): UsageError {
  const name = /^(?:0\.0\.0\.0|::)$/.test(host) ? 'NAME' : host
  return new UsageError(`--host ${host} is open to other machines, so --allow-host is required`, {
    code: 'missing_input',
    hint: 'Name every host name or address that clients use for this server. The server then accepts only its own keys.',
    next: [`pay sandbox start ${flagWord('host', host)} ${flagWord('allow-host', name)}`],
  })
}
