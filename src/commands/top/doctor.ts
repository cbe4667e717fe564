import { adviceForRefusedKey } from '../../cli/report/next-steps.ts'
import { selectAccount, withKey } from '../../cli/account/account.ts'
import { switchFlag } from '../../cli/command/input.ts'
import type { CommandInput } from '../../cli/command/input.ts'
import type { Invocation } from '../../cli/command/invocation.ts'
import { resultOf } from '../../cli/command/result.ts'
import type { CommandSpec } from '../../cli/command/spec.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import { EXIT, PayError } from '../../errors.ts'
import type { Context } from '../../cli/command/context.ts'
import { findProxy, probe } from '../../cli/account/probe.ts'
import type { ProxyLookup, ProbeResult } from '../../cli/account/probe.ts'
import { saysNothingOfEffect } from '../../client/calls/retry.ts'
import { isLoopback } from '../../text/loopback.ts'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmdirSync,
  statSync,
} from 'node:fs'
import type { Stats } from 'node:fs'
import { removeFile } from '../../files/replace-file.ts'
import { exposureOf } from '../../files/private-file.ts'
import { systemCode } from '../../files/system-code.ts'
import { accessCommand, shellWord } from '../../files/shell.ts'
import { readProfiles } from '../../client/config/read-profiles.ts'
import { dirname, join } from 'node:path'
import { earlierSandboxTest } from '../../cli/command/sandbox-identity.ts'
import type { TeamChoice } from '../../cli/account/open-ledger.ts'
import { parseLedgerUrl } from '../../client/config/ledger-choice.ts'
import { missingAt } from '../../client/ledger/damaged-file.ts'
import { ledgerPath } from '../../client/ledger/ledger-file.ts'
import type { Listing } from '../../client/ledger/listing.ts'
import { OPEN_STATES } from '../../client/ledger/record.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import { formatMoney, formatPoints } from '../../money/format.ts'
import { lastNumber, successorOf } from '../../files/successors.ts'
import { GAP, renderGrid } from '../../output/grid.ts'
import type { Tone } from '../../output/paint.ts'
import { safeText } from '../../output/safe-text.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { widestOf } from '../../output/width.ts'
import { wrapWords } from '../../output/wrap.ts'
import { pluralize } from '../../text/words.ts'

export const command: CommandSpec = {
  path: ['doctor'],
  summary: 'Check this machine for problems, and suggest fixes',
  details:
    'Checks Node, folders and their permissions, the account in use and where its key comes from, proxy and certificates, the sandbox, and writes in doubt. Uses no network unless you add --online, which reads once from the service to check that it is reachable, accepts the key and has the same time. Changes nothing. Exit code 0: no problems, but possibly warnings; 2: problems.',
  examples: [
    { purpose: 'check this machine, without the network', line: 'pay doctor --sandbox' },
    { purpose: 'check the service as well', line: 'pay doctor --sandbox --online' },
    {
      purpose: 'print only the problems, for a script',
      line: 'pay doctor --sandbox --query "findings[?status==\'problem\']"',
    },
  ],
  flags: { online: { kind: 'switch', help: 'Also check the service, with one read' } },
  run,
  related: ['whoami', 'ops resolve', 'profile list'],
}

async function run(invocation: Invocation, input: CommandInput) {
  const { context, settings } = invocation
  const { account, findings: accountFindings } = await findAccount(invocation, input)
  if (account?.kind === 'sandbox') await invocation.noteSandbox()
  const asksService = switchFlag(input, 'online') && account?.apiKey !== undefined
  const findings: readonly CheckResult[] = [
    checkNode(context),
    checkFolder('config folder', context.configFolder, context),
    checkProfiles(context),
    checkFolder('state folder', context.stateFolder, context),
    ...accountFindings,
    ...(account === undefined ? [] : checkNetwork(account, context)),
    ...(account !== undefined && asksService
      ? await checkService(account, context, settings.timeoutMs)
      : skippedServiceCheck(account)),
    checkSandbox(context),
    ...(await checkLedger(context, account)),
  ]
  const count = (status: CheckResult['status']) =>
    findings.filter((finding) => finding.status === status).length
  const problems = count('problem')
  const result = resultOf(
    { problems, warnings: count('warning'), findings },
    doctorView,
    problems === 0 ? EXIT.done : EXIT.usage,
  )
  return problems === 0 ? result : { ...result, problem: foundProblems(findings) }
}

async function findAccount(
  { context, keepSecret }: Invocation,
  input: CommandInput,
): Promise<{ readonly account: Account | undefined; readonly findings: readonly CheckResult[] }> {
  try {
    const { account: selected, warnings } = selectAccount(context, input, false)
    const { account, failure } = await tryKeyCommand(context, selected)
    if (selected.keyCommand !== undefined && account.apiKey !== undefined) keepSecret(account.apiKey.value)
    return {
      account,
      findings: [...checkAccount(account, failure), ...warnings.map((message) => warning('key', message))],
    }
  } catch (error) {
    return { account: undefined, findings: [checkMissingAccount(error)] }
  }
}

/** The account with its key, or why its command prints none. */
async function tryKeyCommand(
  context: Context,
  account: Account,
): Promise<{ readonly account: Account; readonly failure?: PayError }> {
  try {
    return { account: await withKey(context, account) }
  } catch (error) {
    if (error instanceof PayError && error.code === 'key_command_failed') return { account, failure: error }
    throw error
  }
}

/** The result of a skipped online check; none for the embedded sandbox, which needs no check. */
const skippedServiceCheck = (account: Account | undefined): readonly CheckResult[] =>
  account?.kind === 'sandbox'
    ? []
    : [{ check: 'service', status: 'skipped', says: 'to check it and its clock, use --online' }]

function foundProblems(findings: readonly CheckResult[]): PayError {
  const names = [...new Set(findings.flatMap(({ check, status }) => (status === 'problem' ? [check] : [])))]
  return new PayError('doctor_found', EXIT.usage, `Found problems: ${names.join(', ')}`, {
    outcome: 'none',
    hint: 'Each problem above says how to fix it.',
  })
}

/** The account in use, where its key comes from, and whether it moves real money. Never shows the key. */
function checkAccount(account: Account, failure: PayError | undefined): readonly CheckResult[] {
  const { kind, profile, mode, baseUrl, apiKey } = account
  const name = profile === undefined ? 'none' : `${profile.value} (${profile.source})`
  const where = kind === 'sandbox' ? 'the embedded sandbox' : `${baseUrl.value} (${baseUrl.source})`
  return [
    ok('account', `profile ${name}, at ${where}`),
    failure !== undefined
      ? failed('key', failure)
      : apiKey === undefined
        ? problem('key', 'the account has no API key', {
            next: [`pay profile set ${shellWord(profile?.value ?? 'NAME')} --api-key-stdin`],
          })
        : ok('key', kind === 'sandbox' ? "the sandbox's own" : `from ${apiKey.source}`),
    ok('mode', `${mode.value === 'live' ? 'LIVE: real money' : 'test'} (${mode.source})`),
  ]
}

/** The result without an account: only a warning, since each command can be given one. */
function checkMissingAccount(error: unknown): CheckResult {
  const finding = failed('account', error)
  if (!(error instanceof PayError) || error.code !== 'no_key') return finding
  return { ...finding, next: finding.next ?? ['pay profile add NAME'], status: 'warning' }
}

/** What lies between this machine and the service: proxy and certificates. */
function checkNetwork(account: Account, context: Context): readonly CheckResult[] {
  if (account.kind === 'sandbox') return [ok('network', 'not needed: the sandbox runs inside pay')]
  const url = account.baseUrl.value
  return [
    checkProxy(findProxy(url, context.env)),
    ...(url.startsWith('https:') ? [certificates(context)] : []),
  ]
}

function checkProxy(proxy: ProxyLookup): CheckResult {
  const check = 'proxy'
  switch (proxy.kind) {
    case 'none':
      return ok(check, 'none: pay calls the service directly')
    case 'proxy':
      return ok(check, proxy.address)
    case 'unreadable':
      return problem(check, 'the proxy in the environment is not a valid URL', {
        remedy: 'Check HTTPS_PROXY. In a password, write / ? # and @ as %2F %3F %23 and %40',
      })
  }
}

const MOST_BYTES = 10 * 1024 * 1024

function certificates({ env, readFile }: Context): CheckResult {
  const check = 'certificates'
  if (env['NODE_TLS_REJECT_UNAUTHORIZED'] === '0')
    return problem(check, 'NODE_TLS_REJECT_UNAUTHORIZED=0: anyone on the network path can read the key', {
      remedy: "Unset it, and point NODE_EXTRA_CA_CERTS at your proxy's certificate",
    })
  const path = env['NODE_EXTRA_CA_CERTS'] ?? ''
  if (path === '') return ok(check, "Node's built-in list")
  try {
    const text = new TextDecoder().decode(readFile(path, MOST_BYTES))
    const found = text.split('-----BEGIN CERTIFICATE-----').length - 1
    if (found > 0) return ok(check, `Node's built-in list, and ${found} from ${path}`)
    return warning(check, `${path} (NODE_EXTRA_CA_CERTS) contains no certificate`, {
      remedy: 'Use a file of PEM certificates',
    })
  } catch (error) {
    if (!(error instanceof PayError)) throw error
    // Only a warning: Node ignores an unreadable file, and so does pay.
    return warning(check, `NODE_EXTRA_CA_CERTS: ${error.message}`, {
      remedy: 'Correct the path, or unset it',
    })
  }
}

/** The most that two clocks may differ, with room for a Date header in whole seconds and the time a response takes. */
const MOST_SKEW_MS = 120_000

/** Reads once from the service: whether it can be reached and accepts the key, and whether the clocks agree. */
async function checkService(
  account: Account,
  context: Context,
  timeoutMs: number,
): Promise<readonly CheckResult[]> {
  if (account.kind === 'sandbox') return []
  const probed = await probe(context, account, timeoutMs)
  if (probed.kind === 'failure') return [notReached(probed)]
  return [
    answered(probed.status, account),
    clock(probed.aheadMs, isLoopback(new URL(account.baseUrl.value).hostname)),
  ]
}

const REMEDIES: Readonly<Partial<Record<Extract<ProbeResult, { kind: 'failure' }>['reason'], string>>> = {
  dns: 'Check the base URL (pay whoami) and the DNS server',
  refused: 'Check the base URL and its port: pay whoami',
  unreachable: 'Check the network, and whether it needs a proxy (HTTPS_PROXY)',
  'connect-timeout': 'Check the network and its firewall, and whether it needs a proxy (HTTPS_PROXY)',
  timeout: 'The service is slow. To wait longer, use --timeout',
  tls: "Point NODE_EXTRA_CA_CERTS at your network's certificate, and check this machine's clock",
  proxy: 'Check HTTPS_PROXY and NO_PROXY',
}

const notReached = ({ reason, message }: Extract<ProbeResult, { kind: 'failure' }>): CheckResult =>
  problem('service', `not reached: ${message}`, {
    remedy: REMEDIES[reason] ?? 'Try a call with --debug to see its details: pay payment list --debug',
  })

function answered(status: number, account: Account): CheckResult {
  const check = 'service'
  const says = `responds with ${status}`
  if (status < 300) return ok(check, `${says}, and accepts the key`)
  if (saysNothingOfEffect(status))
    return warning(check, `${says}: the service has a problem`, { remedy: 'Try again later' })
  if (status < 400)
    return problem(check, `${says}: it has moved`, {
      remedy: 'pay never follows redirects: correct the base URL',
    })
  switch (status) {
    case 401: {
      const { hint: remedy, next } = adviceForRefusedKey(account, '')
      return problem(check, `${says}: the key was refused`, { remedy, next })
    }
    case 403:
      return warning(check, `${says}: the key may not list payments`, {
        remedy: "The key may still allow other operations: check its scopes in your account's settings",
      })
    case 404:
      return warning(check, `${says}: this address has no list of payments`, {
        remedy: 'Check the path of the base URL: pay whoami',
      })
    default:
      return warning(check, says, { remedy: 'To see the whole response, run pay payment list' })
  }
}

function clock(aheadMs: number | undefined, isLocal: boolean): CheckResult {
  const check = 'clock'
  if (aheadMs === undefined) return { check, status: 'skipped', says: 'the service did not send its time' }
  if (Math.abs(aheadMs) <= MOST_SKEW_MS) return ok(check, 'agrees with the service')
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const way = aheadMs > 0 ? 'behind' : 'ahead of'
  return warning(check, `this machine is ${seconds} s ${way} the service`, {
    remedy: isLocal
      ? 'A service on this machine has the same clock, unless it is a sandbox: pay sandbox clock show'
      : 'Set the clock, for example with NTP: repeats, tickets and the ledger depend on it',
  })
}

/** The Node versions that pay is tested on. */
const [OLDEST, NEWEST] = [20, 26]

function checkNode({ program }: Context): CheckResult {
  const [major = 0] = program.nodeVersion.split('.').map(Number)
  const version = `Node ${program.nodeVersion}`
  return major >= OLDEST && major <= NEWEST
    ? ok('node', version)
    : warning('node', `${version}: pay is not tested with this version`, {
        remedy: `Use Node ${OLDEST} to ${NEWEST}`,
      })
}

/** Checks a private folder: it may be missing, but must be writable and closed to other users. */
function checkFolder(check: string, path: string, { uid }: Context): CheckResult {
  const stats = statsOf(path)
  if (stats === undefined) {
    const failure = failureIn(nearestTo(path))
    return failure === undefined
      ? ok(check, `${path}: does not exist yet; pay creates it when needed`)
      : problem(check, `${path} cannot be created (${failure})`, {
          remedy: 'Create it, or use another folder: pay help environment',
        })
  }
  if (typeof stats === 'string')
    return problem(check, `${path} cannot be accessed (${stats})`, {
      remedy: 'Make it your own, or use another folder: pay help environment',
    })
  if (!stats.isDirectory())
    return problem(check, `${path} is not a folder`, {
      remedy: 'Move it away, or use another folder: pay help environment',
    })
  const remedy = accessTo(path, '700', 'Make it writable, or use another folder: pay help environment')
  const exposure = exposureOf(stats, { uid })
  if (exposure === 'owned-by-another')
    return problem(check, `${path} belongs to another user`, {
      next: [`chown "$(id -u)" ${shellWord(path)}`],
    })
  const failure = failureIn(path)
  if (failure === 'EROFS' || failure === 'ENOSPC')
    return problem(check, `${path} cannot be written to (${failure})`, {
      remedy: 'Use a folder on another disk: pay help environment',
    })
  if (failure !== undefined) return problem(check, `${path} cannot be written to`, remedy)
  const mode = `0${(stats.mode & 0o777).toString(8)}`
  return exposure === 'none'
    ? ok(check, path)
    : warning(check, `${path} is open to other users (${mode})`, remedy)
}

/** Checks that the profiles can be read. Never shows their keys. */
function checkProfiles({ configFolder, uid }: Context): CheckResult {
  const check = 'profiles'
  try {
    const { profiles, warnings, path } = readProfiles(configFolder, { uid })
    const [firstWarning] = warnings
    if (firstWarning !== undefined) return warning(check, firstWarning)
    return ok(check, profiles.size === 0 ? 'none stored' : `${profiles.size} in ${path}`)
  } catch (error) {
    return failed(check, error)
  }
}

function statsOf(path: string): Stats | string | undefined {
  try {
    return statSync(path)
  } catch (error) {
    const code = systemCode(error)
    return code === 'ENOENT' ? undefined : (code ?? 'unknown reason')
  }
}

/** The nearest folder above a missing one. */
const nearestTo = (path: string): string =>
  existsSync(dirname(path)) ? dirname(path) : nearestTo(dirname(path))

/** Why nothing can be created in a folder; undefined if it can. Tries it, because permissions alone don't tell. */
function failureIn(folder: string): string | undefined {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    removeFile(mkdtempSync(join(folder, '.pay-doctor-')), rmdirSync)
    return undefined
  } catch (error) {
    return systemCode(error) ?? 'unknown reason'
  }
}

/** The most open writes to list; others are only counted. */
const MAX_LISTED = 10
/** The first bytes of every SQLite database. */
const HEADER = 'SQLite format 3\0'

/** Checks the file without opening the database, which would create a missing one. */
function checkSandbox({ sandboxFolder }: Context): CheckResult {
  const check = 'sandbox'
  const first = join(sandboxFolder, 'sandbox.db')
  const path = successorOf(first, lastNumber(first))
  if (!existsSync(path)) return ok(check, 'not used yet')
  try {
    return readHeader(path) === HEADER
      ? ok(check, path)
      : problem(check, `${path} is not a database`, {
          remedy: 'Reset the sandbox, which keeps this file and begins another one',
          next: ['pay sandbox reset'],
        })
  } catch (error) {
    return problem(check, `${path} cannot be read (${systemCode(error) ?? 'unknown reason'})`, {
      ...accessTo(path, '600', 'Make it readable for you'),
    })
  }
}

/** How to get access to a path: by a command, or in words where there is none. */
function accessTo(path: string, mode: string, words: string): Pick<CheckResult, 'remedy' | 'next'> {
  const change = accessCommand(path, mode)
  return change === undefined ? { remedy: words } : { next: [change] }
}

function readHeader(path: string): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(HEADER.length)
    return bytes.toString('latin1', 0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}

/** The open writes and the damage in the ledger, with the commands that resolve them. Changes nothing. */
async function checkLedger(context: Context, account: Account | undefined): Promise<readonly CheckResult[]> {
  let listing: Listing
  try {
    const all = await (await context.ledger(account)).list({ states: OPEN_STATES, checksEnded: true })
    const isEarlier = await earlierSandboxTest(context)
    listing = { ...all, records: all.records.filter((record) => !isEarlier(record)) }
  } catch (error) {
    return [failed('ledger', error)]
  }
  const { records, damage } = listing
  const listed = records.slice(0, MAX_LISTED).map(describeOpenWrite)
  const rest = records.length - listed.length
  return [
    ok('ledger', describeLedger(listing)),
    ...(account?.ledger.kind === 'team' ? await checkTeam(context, account.ledger) : checkFile(context)),
    ...listed,
    ...(rest === 0
      ? []
      : [warning('open write', `and ${rest} more`, { next: ['pay ops list --state in-doubt'] })]),
    ...damage.records.map(({ id }) =>
      warning('ledger', `the record ${id} is damaged and may block other writes`, {
        next: [`pay ops abandon ${shellWord(id)}`],
      }),
    ),
    ...(damage.isMiscounted
      ? [
          warning('ledger', 'a record of an open write is missing, which blocks every write', {
            next: ['pay ops abandon --damaged-ledger'],
          }),
        ]
      : []),
  ]
}

/** Reports the tables and indexes that this machine's ledger lacks. */
const checkFile = ({ stateFolder }: Context): readonly CheckResult[] =>
  missingAt(ledgerPath(stateFolder)).map((name) =>
    problem('ledger', `it lacks ${name}, so no write can begin`, {
      next: ['pay ops abandon --damaged-ledger'],
    }),
  )

/** The most that the clocks of members may differ: a clock that is off by more makes a write seem to come from the future. */
const MOST_CLOCK_MS = 5000

/** Checks the database of a team's ledger for what would surprise its members. */
async function checkTeam(context: Context, choice: TeamChoice): Promise<readonly CheckResult[]> {
  const check = 'team ledger'
  const { teamFacts } = await import('../../client/ledger/team/set-up.ts')
  const facts = await teamFacts(await context.teamStore(choice, {}), context.now)
  const address = parseLedgerUrl(choice.url)
  const isEncrypted = 'isEncrypted' in address && address.isEncrypted
  const seconds = (Math.abs(facts.aheadMs) / 1000).toFixed(1)
  return [
    ok(
      check,
      `PostgreSQL ${facts.serverVersion}, primary, ${isEncrypted ? 'TLS' : 'not encrypted, on this machine'}, round trip ${facts.roundTripMs} ms`,
    ),
    ...(facts.missingIndexes.length > 0
      ? [
          problem(
            check,
            `the index ${facts.missingIndexes.join(' and ')} is missing or not valid, so no write can begin`,
            {
              remedy: "The database's owner has to recreate it",
              next: ['pay ledger init --upgrade'],
            },
          ),
        ]
      : []),
    ...(facts.mayChangeAll
      ? [
          warning(
            check,
            'this user may do more than a member needs: remove records, or change any of their columns',
            {
              remedy: 'Use one that has only GRANT pay_writer',
            },
          ),
        ]
      : []),
    ...(Math.abs(facts.aheadMs) > MOST_CLOCK_MS
      ? [
          warning(
            check,
            `its clock is ${seconds} s ${facts.aheadMs > 0 ? 'ahead of' : 'behind'} this machine's`,
          ),
        ]
      : []),
  ]
}

function describeLedger({ records, damage }: Listing): string {
  if (records.length > 0) return `${records.length} open`
  return damage.records.length > 0 || damage.isMiscounted
    ? 'no readable record is in doubt'
    : 'nothing is in doubt'
}

function describeOpenWrite(record: StoredRecord): CheckResult {
  const { id, operation, target, amount, currencyCode, state, createdAt, profile, user, host, leaseUntil } =
    record
  const money =
    amount === null
      ? ''
      : ` of ${record.targetKind === 'points' ? formatPoints(amount) : formatMoney(amount, currencyCode ?? undefined)}`
  const what = `${operation}${money}${target === null ? '' : ` on ${target}`}${profile === null ? '' : `, profile ${profile}`}${leaseUntil === undefined ? '' : `, by ${user}@${host}`}, ${createdAt}`
  const check = 'open write'
  return state === 'sending'
    ? ok(check, `${what}: a process is still sending it`)
    : warning(check, `${what}: outcome unknown`, {
        remedy: 'It blocks other writes to its target until it is resolved',
        next: [`pay ops resolve ${shellWord(id)}`],
      })
}

type Remedy = Pick<CheckResult, 'remedy' | 'next'>

const ok = (check: string, message: string): CheckResult => ({ check, status: 'ok', says: message })
const warning = (check: string, message: string, remedy: Remedy = {}): CheckResult => ({
  check,
  status: 'warning',
  says: message,
  ...remedy,
})
const problem = (check: string, message: string, remedy: Remedy = {}): CheckResult => ({
  check,
  status: 'problem',
  says: message,
  ...remedy,
})

/** A check that threw, with the remedy of its error. Rethrows anything but a `PayError`. */
function failed(check: string, error: unknown): CheckResult {
  if (!(error instanceof PayError)) throw error
  const { hint, next } = error.details
  return problem(check, error.message, { remedy: hint, next: next?.filter((line) => line !== 'pay doctor') })
}

/** The result of one check. */
export interface CheckResult {
  /** Name of the check, such as `ledger`; scripts rely on it. */
  readonly check: string
  readonly status: 'ok' | 'warning' | 'problem' | 'skipped'
  /** What the check found, in one sentence. */
  readonly says: string
  /** How to fix it. */
  readonly remedy?: string | undefined
  /** Commands to run. */
  readonly next?: readonly string[] | undefined
}

export interface Diagnosis {
  readonly problems: number
  readonly warnings: number
  readonly findings: readonly CheckResult[]
}

const NARROWEST = 20

/** A mark and a word, so that colour is never the only sign. */
const STATUS_STYLES = {
  ok: ['✓', 'ok', 'good'],
  warning: ['!', 'warning', 'warn'],
  problem: ['✗', 'problem', 'bad'],
  skipped: ['–', 'skipped', 'dim'],
} as const satisfies Record<CheckResult['status'], readonly [string, string, Tone]>

const doctorView: View<Diagnosis> = {
  ids: ({ findings }) =>
    findings.flatMap(({ check, status }) => (status === 'problem' || status === 'warning' ? [check] : [])),
  csvColumns: [],
  render: ({ findings, problems, warnings }, options) =>
    [...linesOf(findings, options), '', summary(problems, warnings, options)].join('\n'),
}

/** One row per check: mark, name, then the finding, its remedy and commands. */
function linesOf(findings: readonly CheckResult[], { paint, width }: RenderOptions): readonly string[] {
  const markWidth = widestOf(Object.values(STATUS_STYLES).map(formatStatus))
  const names = findings.map(({ check }) => check)
  const usedWidth = markWidth + GAP.length + widestOf(names) + GAP.length
  const textWidth = width === undefined ? undefined : Math.max(NARROWEST, width - usedWidth)
  return renderGrid(
    [
      {
        cells: findings.map(({ status }) => formatStatus(STATUS_STYLES[status])),
        toneOf: (row) => STATUS_STYLES[findings[row]?.status ?? 'ok'][2],
        width: markWidth,
      },
      { cells: names },
      {
        cells: findings.map(({ says, remedy = '', next = [] }) =>
          [
            ...wrapWords(safeText(says), textWidth),
            ...(remedy === '' ? [] : wrapWords(safeText(remedy), textWidth)),
            // A command stays on one line, ready to copy.
            ...next.map((line) => `${paint('$', 'dim')} ${safeText(line)}`),
          ].join('\n'),
        ),
      },
    ],
    paint,
  )
}

const formatStatus = ([mark, word]: readonly [string, string, Tone]): string => `${mark} ${word}`

function summary(problems: number, warnings: number, { paint }: RenderOptions): string {
  if (problems > 0)
    return paint(`${pluralize(problems, 'problem')}, ${pluralize(warnings, 'warning')}.`, 'bad')
  return warnings > 0
    ? paint(`No problems, ${pluralize(warnings, 'warning')}.`, 'warn')
    : paint('No problems found.', 'good')
}
