import { existsSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import { EXIT, PayError } from '../../errors.ts'
import { systemCode } from '../../files/system-code.ts'
import type { LedgerAddress } from './ledger-choice.ts'

/** What connecting to a ledger needs of this machine: passwords and certificates, as libpq finds them. */

export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The name of the system's user. */
  readonly user: () => string
}

export function connectionTo(address: LedgerAddress, { env, user }: Machine) {
  const name = address.user ?? (env['PGUSER'] || user())
  const { host, port, database } = address
  return {
    host,
    port,
    database,
    user: name,
    password: async () =>
      env['PGPASSWORD'] || passwordIn(passwordFile(env), [host, `${port}`, database, name]),
    ssl: address.isEncrypted ? certificates(address, env) : (false as const),
  }
}

const homeFile = (env: Machine['env'], ...path: readonly string[]): string =>
  join(isAbsolute(env['HOME'] ?? '') ? (env['HOME'] ?? '/') : '/', ...path)

const passwordFile = (env: Machine['env']): string => env['PGPASSFILE'] || homeFile(env, '.pgpass')

/**
 * The first line that fits: `host:port:database:user:password`, where `*` fits everything.
 * @throws {PayError} exit 4 if there is none, or if others can read the file
 */
function passwordIn(path: string, wanted: readonly string[]): string {
  if (!existsSync(path)) throw noPassword(SOURCES)
  if ((statSync(path).mode & 0o077) !== 0) throw noPassword(`Others can read ${path}: chmod 600 ${path}`)
  for (const line of read(path).toString('utf8').split(/\r?\n/)) {
    const fields = line.split(/(?<!\\):/).map((field) => field.replaceAll(/\\(.)/g, '$1'))
    const password = fields[wanted.length]
    if (line.startsWith('#') || password === undefined) continue
    const fits = wanted.every((value, at) => {
      const names = at === 0 && value.startsWith('/') ? [value, 'localhost'] : [value]
      return fields[at] === '*' || names.includes(fields[at] ?? '')
    })
    if (fits && password !== '') return password
  }
  throw noPassword(SOURCES)
}

const SOURCES = 'Set PGPASSWORD, or add a line to ~/.pgpass (host:port:database:user:password, chmod 600).'

const noPassword = (hint: string): PayError =>
  new PayError('ledger_refused', EXIT.auth, "The team's ledger asks for a password, and there is none", {
    outcome: 'none',
    hint,
  })

/** `system`, and nothing, mean the certificate authorities that Node trusts. */
function certificates(
  { host, sslrootcert, sslcert, sslkey }: LedgerAddress,
  env: Machine['env'],
): ConnectionOptions {
  const fileOr = (given: string | undefined, name: string): string | undefined => {
    const usual = homeFile(env, '.postgresql', name)
    return given ?? (existsSync(usual) ? usual : undefined)
  }
  const [root, cert, key] = [
    sslrootcert === 'system' ? undefined : fileOr(sslrootcert, 'root.crt'),
    fileOr(sslcert, 'postgresql.crt'),
    fileOr(sslkey, 'postgresql.key'),
  ]
  return {
    // The name that the certificate must have, also where it is an address.
    host,
    rejectUnauthorized: true,
    ...(root === undefined ? {} : { ca: read(root) }),
    ...(cert === undefined ? {} : { cert: read(cert) }),
    ...(key === undefined ? {} : { key: read(key) }),
  }
}

function read(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (cause) {
    throw new PayError(
      'ledger_refused',
      EXIT.auth,
      `${path} cannot be read (${systemCode(cause) ?? 'unknown reason'})`,
      {
        outcome: 'none',
        cause,
      },
    )
  }
}
