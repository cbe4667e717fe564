import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { readSource } from './source-facts.ts'
import type { SourceFacts } from './source-facts.ts'

const OUTSIDE = ['api', 'json', 'money', 'output', 'config', 'ledger/port.ts'] as const
const SANDBOX = ['api', 'api/models', 'api/operations', 'api/table.ts', 'json', 'money', 'sandbox'] as const
const DOMAIN = [
  ...SANDBOX,
  'sandbox/domain',
  'sandbox/domain/scenarios',
  'sandbox/domain/store',
  'sandbox/domain/payment',
] as const
const CLI = [
  ...OUTSIDE,
  'api/models',
  'api/operations',
  'api/table.ts',
  'calls',
  'http',
  'ledger',
  'ledger/files',
] as const
const BULK = ['api', 'api/models', 'api/operations', 'calls', 'json', 'money', 'bulk'] as const
const VIEWS = ['api', 'api/models', 'api/operations', 'api/table.ts', 'money', 'output', 'views'] as const

/**
 * Who may import whom; `docs/architecture.md` draws it. A room is a folder, or one file that stands above or below the
 * rest of its folder. Files of a room may import each other and the rooms listed, and no others. `main.ts` may import
 * everything, and everyone may import `EVERYWHERE`. For `commands`, see `mayMeet`.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  json: [],
  money: [],

  api: [],
  'api/models': ['api'],
  'api/operations': ['api', 'api/models'],
  'api/table.ts': ['api', 'api/operations'],
  'api/schemas': ['api', 'api/models', 'api/table.ts'],

  config: ['json'],
  output: ['json', 'money'],

  'ledger/port.ts': [],
  'ledger/files': ['ledger/port.ts', 'money'],
  ledger: ['ledger/port.ts', 'ledger/files', 'money'],

  http: ['json'],
  calls: ['api', 'api/models', 'api/operations', 'http', 'json', 'ledger/port.ts'],
  'calls/recovery': ['api', 'api/models', 'api/operations', 'http', 'json', 'ledger/port.ts', 'calls'],
  'calls/client.ts': ['http', 'ledger/port.ts', 'calls', 'calls/recovery'],

  bulk: [],
  'bulk/map': BULK,
  'bulk/read': [...BULK, 'bulk/map'],
  'bulk/keep': [...BULK, 'bulk/read'],
  'bulk/send': [...BULK, 'http', 'bulk/map', 'bulk/read', 'bulk/keep'],
  import: [...BULK, 'bulk/map', 'bulk/read', 'bulk/keep', 'bulk/send'],

  views: ['api', 'api/models', 'api/operations', 'api/table.ts', 'money', 'output'],
  'views/payment': [...VIEWS, 'views/ops'],
  'views/ops': VIEWS,
  'views/import': VIEWS,
  'views/instrument': VIEWS,
  'views/session': VIEWS,
  'views/sandbox': VIEWS,
  'views/top': VIEWS,

  sandbox: ['api'],
  'sandbox/domain': SANDBOX,
  'sandbox/domain/scenarios': [...SANDBOX, 'sandbox/domain'],
  'sandbox/domain/store': [...SANDBOX, 'sandbox/domain'],
  'sandbox/domain/payment': [
    ...SANDBOX,
    'sandbox/domain',
    'sandbox/domain/scenarios',
    'sandbox/domain/store',
  ],
  'sandbox/request': [...SANDBOX, 'sandbox/domain', 'sandbox/domain/store'],
  'sandbox/answers': DOMAIN,
  'sandbox/handlers': [...DOMAIN, 'sandbox/request', 'sandbox/answers'],
  'sandbox/faults': [...SANDBOX, 'sandbox/answers'],
  'sandbox/log': [...SANDBOX, 'sandbox/faults'],
  'sandbox/database': SANDBOX,
  'sandbox/database/store': [...DOMAIN, 'sandbox/faults', 'sandbox/log', 'sandbox/database'],
  'sandbox/database/transactions.ts': [
    ...DOMAIN,
    'sandbox/log',
    'sandbox/database',
    'sandbox/database/store',
  ],
  'sandbox/pipeline': [
    ...DOMAIN,
    'sandbox/request',
    'sandbox/answers',
    'sandbox/handlers',
    'sandbox/faults',
    'sandbox/log',
    'sandbox/database',
    'sandbox/database/transactions.ts',
  ],
  'sandbox/controls': [...DOMAIN, 'sandbox/request', 'sandbox/answers', 'sandbox/faults', 'sandbox/log'],
  'sandbox/serve': [...SANDBOX, 'sandbox/domain', 'sandbox/request', 'sandbox/answers', 'sandbox/controls'],
  'sandbox/sandbox.ts': [
    ...DOMAIN,
    'sandbox/request',
    'sandbox/answers',
    'sandbox/database',
    'sandbox/database/store',
    'sandbox/database/transactions.ts',
    'sandbox/pipeline',
    'sandbox/controls',
  ],

  'cli/command': CLI,
  'cli/account': [...CLI, 'cli/command'],
  'cli/prompts': ['output', 'cli/command'],
  'cli/process': [...CLI, 'cli/command'],
  'cli/parse': ['api', 'output', 'money', 'cli/command'],
  'cli/amount': [...CLI, 'cli/command', 'cli/parse'],
  'cli/request': [...CLI, 'cli/command', 'cli/parse', 'cli/amount'],
  'cli/guard': [...CLI, 'cli/command', 'cli/parse', 'cli/amount', 'cli/request'],
  'cli/report': [...CLI, 'cli/command', 'cli/parse', 'cli/amount', 'cli/request', 'cli/guard'],
  'cli/help': ['api', 'api/operations', 'output', 'cli/command', 'cli/parse'],
  'cli/completion': [...CLI, 'cli/command', 'cli/parse', 'cli/account'],
  cli: [
    ...CLI,
    'calls/client.ts',
    'cli/command',
    'cli/account',
    'cli/parse',
    'cli/amount',
    'cli/request',
    'cli/guard',
    'cli/report',
    'cli/help',
    'cli/completion',
  ],

  commands: [
    ...CLI,
    'views',
    'bulk',
    'import',
    'cli',
    'api/schemas',
    'views/payment',
    'views/ops',
    'views/import',
    'views/instrument',
    'views/session',
    'views/top',
    'bulk/map',
    'bulk/read',
    'bulk/keep',
    'bulk/send',
    'cli/command',
    'cli/account',
    'cli/parse',
    'cli/amount',
    'cli/request',
    'cli/guard',
    'cli/report',
    'cli/help',
    'cli/process',
  ],
}

/** Files beside the folders that hold no knowledge of any of them. */
export const EVERYWHERE = [
  'errors.ts',
  'duration.ts',
  'suggest.ts',
  'version.ts',
  'private-folder.ts',
  'is-record.ts',
  'shell-word.ts',
  'system-code.ts',
]

/** A folder that holds more is two folders. */
export const MOST_FILES = 20
/** A file that is longer is two files. */
export const MOST_LINES = 250

export const SRC = fileURLToPath(new URL('../../src', import.meta.url))
export const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'))
  .toSorted()
export const textOf = (path: string): string => readFileSync(join(SRC, path), 'utf8')
export const FACTS: ReadonlyMap<string, SourceFacts> = new Map(
  FILES.map((path) => [path, readSource(path, textOf(path))]),
)

/** Every import of one of our files, as `[importing file, imported file]`. */
export const OWN_IMPORTS = [...FACTS].flatMap(([path, { imports }]) =>
  imports.filter((name) => name.startsWith('.')).map((name) => [path, join(dirname(path), name)] as const),
)

export const folderOf = (path: string): string => path.split('/')[0] ?? ''
/** `payment` of `commands/payment/refund.ts`; undefined for what lies beside the nouns. */
const nounOf = (path: string): string | undefined => /^commands\/([^/]+)\//.exec(path)?.[1]

/** The room of a file: itself where the map names it, else its folder. All nouns are one room. */
export function roomOf(path: string): string {
  if (Object.hasOwn(MAY_IMPORT, path)) return path
  return folderOf(path) === 'commands' ? 'commands' : path.includes('/') ? dirname(path) : path
}

export function mayImport(from: string, to: string): boolean {
  if (from === 'main.ts' || EVERYWHERE.includes(to)) return true
  if (from === 'version.ts') return to === '../package.json'
  const [room, target] = [roomOf(from), roomOf(to)]
  if (room === target) return room !== 'commands' || mayMeet(from, to)
  if (room === 'commands' && nounOf(from) === 'sandbox' && /^(?:views\/)?sandbox\b/.test(target)) return true
  return (MAY_IMPORT[room] ?? []).includes(target)
}

/** Among commands: the tree knows all; a noun knows itself and what the nouns share, which knows no noun. */
function mayMeet(from: string, to: string): boolean {
  if (from === 'commands/tree.ts') return true
  return nounOf(to) === undefined ? to !== 'commands/tree.ts' : nounOf(to) === nounOf(from)
}

/** Every group of nodes that lead to each other, each in the order in which it was found; none where there is no circle. */
export function circlesIn(edges: readonly (readonly [string, string])[]): readonly (readonly string[])[] {
  const next = new Map<string, string[]>()
  for (const [from, to] of edges) next.set(from, [...(next.get(from) ?? []), to])
  const reach = (start: string): ReadonlySet<string> => {
    const seen = new Set<string>()
    const open = [...(next.get(start) ?? [])]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      open.push(...(next.get(at) ?? []))
    }
    return seen
  }
  const reached = new Map([...next.keys()].map((node) => [node, reach(node)]))
  const circles: (readonly string[])[] = []
  for (const [node, seen] of reached) {
    if (!seen.has(node) || circles.some((circle) => circle.includes(node))) continue
    circles.push([...seen].filter((other) => reached.get(other)?.has(node) === true))
  }
  return circles
}

/** Folders with more files of their own than `MOST_FILES`. */
export function crowdedIn(files: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  for (const path of files) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts].filter(([, count]) => count > MOST_FILES).map(([folder]) => folder)
}
