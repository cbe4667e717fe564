import { existsSync, readFileSync, statSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import { UsageError, EXIT, PayError } from '../../errors.ts'
import { isLoopback } from '../../text/loopback.ts'
import { systemCode } from '../../files/system-code.ts'
import type { Platform } from './paths.ts'
import { fileWord } from '../../files/shell.ts'

/** Which ledger an account's writes are recorded in. */
export type LedgerChoice =
  | { readonly kind: 'local'; readonly source: string }
  /** The profile refuses writes until a team's ledger is named. */
  | { readonly kind: 'required'; readonly source: string }
  | {
      readonly kind: 'team'
      readonly source: string
      readonly url: string
      /** The name that this profile's API key has joined; undefined if it has joined none. */
      readonly account: string | undefined
      /** The ledger's own ID, which it must have. */
      readonly id: string | undefined
      /** The schema of the database in which the profile joined the ledger; undefined if it has to be found. */
      readonly schema: string | undefined
      /** Whether the environment names it in place of this machine's own, which may have open writes. */
      readonly replacesLocal: boolean
    }

/** Where a write is recorded, for previews. */
export function describeLedger(ledger: LedgerChoice): string {
  if (ledger.kind === 'required') return "none: a team's is required"
  if (ledger.kind === 'local') return 'this machine only'
  return `${ledger.url}${ledger.account === undefined ? ', not joined' : `, account ${ledger.account}`}`
}

/** The fields of a profile that name its ledger. */
export interface StoredLedger {
  /** `required`, or the URL of a database. */
  readonly ledger?: string | undefined
  readonly ledgerAccount?: string | undefined
  readonly ledgerId?: string | undefined
  readonly ledgerSchema?: string | undefined
}

export const REQUIRED = 'required'

/** Takes the ledger from the environment, or else from the profile. */
export function chooseLedger(
  env: Readonly<Record<string, string | undefined>>,
  profile: (StoredLedger & { readonly name: string }) | undefined,
): LedgerChoice {
  const { ledger, ledgerAccount, ledgerId: id, ledgerSchema: schema } = profile ?? {}
  const named = env['PAY_LEDGER'] || undefined
  const givenAccount = env['PAY_LEDGER_ACCOUNT'] || undefined
  const account =
    givenAccount === undefined ? ledgerAccount : checkLedgerAccount(givenAccount, 'PAY_LEDGER_ACCOUNT')
  if (named !== undefined)
    return {
      kind: 'team',
      source: 'environment PAY_LEDGER',
      url: checkLedgerUrl(named, 'PAY_LEDGER'),
      account,
      id,
      // Another database may have another schema.
      schema: named === ledger ? schema : undefined,
      replacesLocal: ledger === undefined,
    }
  const source = profile === undefined || ledger === undefined ? 'default' : `profile ${profile.name}`
  if (ledger === undefined) return { kind: 'local', source }
  if (ledger === REQUIRED) return { kind: 'required', source }
  // Only who has joined has an ID.
  return {
    kind: 'team',
    source,
    url: ledger,
    account: id === undefined ? undefined : account,
    id,
    schema,
    replacesLocal: false,
  }
}

/** The address in a ledger's URL. Paths of files are as written. */
interface LedgerAddress {
  readonly host: string
  readonly port: number
  /** Undefined for the system's user. */
  readonly user: string | undefined
  readonly database: string
  readonly isEncrypted: boolean
  readonly sslrootcert: string | undefined
  readonly sslcert: string | undefined
  readonly sslkey: string | undefined
}

const SHAPE =
  /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?(\[[\da-fA-F:.]+\]|[^:/?#@]*)(?::(\d{1,5}))?\/([^/?#]+)(?:\?([^#]*))?$/
const PARAMETERS = ['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const

/** The address, or what is wrong with the URL: completes a sentence that begins with its source. */
export function parseLedgerUrl(text: string): LedgerAddress | { readonly problem: string } {
  const [, user = '', name = '', namedPort, database = '', query = ''] = SHAPE.exec(text) ?? []
  if (database === '') return { problem: 'must be a URL like postgres://USER@HOST/DATABASE' }
  if (user.includes(':'))
    return { problem: 'must not contain a password: pay takes it from PGPASSWORD, .pgpass or a certificate' }
  const given = new URLSearchParams(query)
  const unknown = [...given.keys()].find((key) => !PARAMETERS.some((known) => known === key))
  if (unknown === 'password') return { problem: 'must not contain a password' }
  if (unknown !== undefined) return { problem: `may only have ${PARAMETERS.join(', ')} after its ?` }
  const twice = PARAMETERS.find((key) => given.getAll(key).length > 1)
  if (twice !== undefined) return { problem: `has ${twice} twice` }
  if (namedPort !== undefined && given.has('port')) return { problem: 'has port twice' }
  const parameter = (key: (typeof PARAMETERS)[number]) => given.get(key) ?? undefined
  const port = parameter('port') ?? namedPort ?? '5432'
  const host = parameter('host') ?? name.replaceAll(/[[\]]/g, '')
  if (host === '') return { problem: 'must name a host, or the folder of a socket: ?host=/run/postgresql' }
  const mode = parameter('sslmode')
  const isSocket = host.startsWith('/')
  const isHere = isSocket || isLoopback(host)
  if (mode !== undefined && mode !== 'verify-full' && mode !== 'disable')
    return { problem: 'must have sslmode=verify-full, or disable on this machine' }
  if (mode === 'disable' && !isHere) return { problem: 'may have sslmode=disable only on this machine' }
  if (!/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535)
    return { problem: 'must have a port from 1 to 65535' }
  const [userName, databaseName] = [decoded(user), decoded(database)]
  if (userName === undefined || databaseName === undefined)
    return { problem: 'has a % that begins no character' }
  return {
    host,
    port: Number(port),
    user: userName === '' ? undefined : userName,
    database: databaseName,
    isEncrypted: !isSocket && mode !== 'disable',
    sslrootcert: parameter('sslrootcert'),
    sslcert: parameter('sslcert'),
    sslkey: parameter('sslkey'),
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/**
 * Checks the URL of a ledger. The error never repeats it, since it may contain a password.
 * @throws {UsageError} `bad_ledger_url`
 */
export function checkLedgerUrl(text: string, where: string): string {
  const parsed = parseLedgerUrl(text)
  if (!('problem' in parsed)) return text
  throw new UsageError(`${where} ${parsed.problem}`, { code: 'bad_ledger_url' })
}

export const isAccountName = (text: string): boolean => /^[A-Za-z0-9][\w.-]{0,63}$/.test(text)

/**
 * Checks the name of an account in a ledger.
 * @throws {UsageError} `bad_value`
 */
export function checkLedgerAccount(text: string, where: string): string {
  if (isAccountName(text)) return text
  throw new UsageError(`${where} must be 1 to 64 letters, digits, dots, underscores or hyphens`, {
    code: 'bad_value',
  })
}

/** What connecting to a ledger needs of this machine. */
interface Machine extends Omit<Platform, 'cwd'> {
  /** The name of the system's user. */
  readonly user: () => string
}

/** How to connect to a ledger, with passwords and certificates as libpq finds them. */
export function connectionTo(address: LedgerAddress, machine: Machine) {
  const { env, user } = machine
  const name = address.user ?? (env['PGUSER'] || user())
  const { host, port, database } = address
  return {
    host,
    port,
    database,
    user: name,
    password: async () => env['PGPASSWORD'] || passwordIn(machine, [host, `${port}`, database, name]),
    ssl: address.isEncrypted ? certificates(address, machine) : (false as const),
  }
}

/** Where libpq looks for a file: in the home folder, on Windows in `%APPDATA%\postgresql`. Undefined without that folder. */
function usualFile({ env, platform, home = '' }: Machine, name: string, nameOnWindows: string) {
  if (platform === 'win32') return env['APPDATA'] && join(env['APPDATA'], 'postgresql', nameOnWindows)
  return isAbsolute(home) ? join(home, name) : undefined
}

/**
 * The password in the first line that fits: `host:port:database:user:password`, where `*` fits everything.
 * @throws {PayError} exit 4 if there is none, or if others can read the file
 */
function passwordIn(machine: Machine, wanted: readonly string[]): string {
  // Files on Windows have no modes.
  const isWindows = machine.platform === 'win32'
  const none = () => noPassword(isWindows ? WINDOWS_SOURCES : SOURCES)
  const path = machine.env['PGPASSFILE'] || usualFile(machine, '.pgpass', 'pgpass.conf')
  if (!path || !existsSync(path)) throw none()
  if (!isWindows && (statSync(path).mode & 0o077) !== 0)
    throw noPassword(`Others can read ${path}: chmod 600 ${fileWord(path)}`)
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
  throw none()
}

const SOURCES = 'Set PGPASSWORD, or add a line to ~/.pgpass (host:port:database:user:password, chmod 600).'
const WINDOWS_SOURCES = String.raw`Set PGPASSWORD, or add a line to %APPDATA%\postgresql\pgpass.conf (host:port:database:user:password).`

const noPassword = (hint: string): PayError =>
  new PayError('ledger_refused', EXIT.auth, "The team's ledger asks for a password, and there is none", {
    outcome: 'none',
    hint,
  })

/** The certificates for a connection. `system`, and nothing, mean the certificate authorities that Node trusts. */
function certificates(
  { host, sslrootcert, sslcert, sslkey }: LedgerAddress,
  machine: Machine,
): ConnectionOptions {
  const fileOr = (given: string | undefined, name: string): string | undefined => {
    const usual = usualFile(machine, `.postgresql/${name}`, name)
    return given ?? (usual && existsSync(usual) ? usual : undefined)
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
