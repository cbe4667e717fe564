import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { readSource } from './source-facts.ts'
import type { SourceFacts } from './source-facts.ts'

/** Rooms that know nothing about payments. Each may import those before it. */
export const LEAVES = ['text', 'json', 'files', 'money', 'store'] as const

/**
 * Who may import whom: each folder of `src`, and the folders that its files may import. `type` allows `import type` alone.
 * `docs/architecture.md` has the same table.
 */
export const ROOMS: Readonly<Record<string, readonly string[]>> = {
  text: [],
  json: ['text'],
  files: ['text'],
  money: ['text', 'json'],
  store: ['text', 'json', 'files'],
  output: ['text', 'json', 'money'],
  api: ['text', 'json'],
  client: ['api', ...LEAVES],
  rows: ['client', 'api', ...LEAVES],
  views: ['api', 'output', ...LEAVES, 'type client', 'type rows'],
  cli: ['client', 'api', 'output', ...LEAVES],
  sandbox: ['api', 'views', ...LEAVES],
  pages: ['api', 'views', 'output', ...LEAVES, 'type sandbox'],
  commands: ['cli', 'sandbox', 'views', 'rows', 'client', 'api', 'output', ...LEAVES],
}

/** Inside a room: files of the first pattern import none of the second; of `types`, no more than types. */
export const WALLS: readonly (readonly [from: RegExp, to: RegExp, why: string, but?: 'types'])[] = [
  [
    /^api\/facts\.ts/,
    /^api\/(?:actions|models|operations|schemas)\//,
    'facts are there before any schema is loaded',
  ],
  [/^client\/http\//, /^client\/(?!http\/)/, 'connections carry bytes and know no call'],
  [/^client\/ledger\//, /^client\/(?!ledger\/)/, 'the ledger sends nothing'],
  [
    /^client\/(?!recovery\/|calls\/client\.ts)/,
    /^client\/recovery\//,
    'what resolves a write is asked through the client',
  ],
  [/^rows\/(?!import\/|batch\/|reconcile\/)/, /^rows\/(?:import|batch|reconcile)\//, 'the parts know no job'],
  [/^rows\/import\//, /^rows\/(?:batch|reconcile)\//, 'a job knows no other'],
  [/^rows\/batch\//, /^rows\/(?:import|reconcile)\//, 'a job knows no other'],
  [/^rows\/reconcile\//, /^rows\/(?:import|batch)\//, 'a job knows no other'],
  [
    /^sandbox\/domain\//,
    /^sandbox\/(?!domain\/|database\/|problem\.ts)/,
    'the rules of money know no request',
  ],
  [
    /^sandbox\/(?:handlers|answers|request)\//,
    /^sandbox\/(?:pipeline|controls|serve|seed)\//,
    'a handler knows no more than its input',
  ],
  [
    /^sandbox\/(?:domain|handlers|answers|request)\//,
    /^sandbox\/database\//,
    'the rules of money open no database: they are given a store',
    'types',
  ],
  [/^cli\/parse\//, /^cli\/(?!parse\/|command\/)/, 'a line is read before anything is done with it'],
  [
    /^commands\/desk\//,
    /^(?:client\/(?:calls\/client|recovery|http)|api\/table|cli\/(?:operate|resolve-open)|rows)\b/,
    'the desk only reads: an action is a command line for run()',
  ],
]

/** The files that a program loads. They may import everything, and alone use the process, the clock and randomness. */
export const ENTRIES = ['main.ts', 'sandbox/library.ts']

/** The only files that import a library, or a folder of which one file does, or, with a slash, all of its files. */
export const DOORS: Readonly<Record<string, readonly string[]>> = {
  '@inquirer/core': ['cli'],
  '@inquirer/prompts': ['cli'],
  '@jmespath-community/jmespath': ['output'],
  '@photostructure/sqlite': ['store'],
  'node:sqlite': ['store'],
  'cli-table3': ['output'],
  'csv-parse': ['rows'],
  'csv-stringify': ['output', 'rows'],
  'lossless-json': ['json'],
  'string-width': ['output'],
  '@preact/signals': ['pages/'],
  preact: ['pages/'],
  open: ['cli'],
  // The second file declares the type of the module that the first one imports.
  pg: ['store/postgres.ts', 'store/pg-client.d.ts'],
  chalk: ['output'],
  commander: ['cli'],
  conf: ['client'],
  'iconv-lite': ['rows'],
  undici: ['client/http/undici-transport.ts'],
  yaml: ['output', 'rows'],
  zod: ['api', 'client/config/profile.ts', 'client/ledger/limit-fields.ts'],
}

export const SRC = fileURLToPath(new URL('../../src', import.meta.url))
export const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => /\.tsx?$/.test(path))
  .toSorted()
export const textOf = (path: string): string => readFileSync(join(SRC, path), 'utf8')
export const FACTS: ReadonlyMap<string, SourceFacts> = new Map(
  FILES.map((path) => [path, readSource(path, textOf(path))]),
)

export interface OwnImport {
  readonly from: string
  readonly to: string
  readonly isType: boolean
}

/** Every import of one of our files of code. */
export const OWN_IMPORTS: readonly OwnImport[] = [...FACTS].flatMap(([path, { imports }]) =>
  imports
    .filter(({ name }) => name.startsWith('.') && !name.endsWith('.yaml'))
    .map(({ name, isType }) => ({ from: path, to: join(dirname(path), name), isType })),
)

export const roomOf = (path: string): string => path.split('/')[0] ?? ''
/** `payment` of `commands/payment/refund.ts`; undefined for what the nouns share. */
const nounOf = (path: string): string | undefined => /^commands\/(?!find\/)([^/]+)\//.exec(path)?.[1]

/** Why a file may not import another one; undefined if it may. */
export function whyNot({ from, to, isType }: OwnImport): string | undefined {
  if (ENTRIES.includes(from) || to === 'errors.ts' || to === 'version.ts') return undefined
  if (from === 'version.ts' && to === '../package.json') return undefined
  const wall = WALLS.find(
    ([one, other, , but]) => one.test(from) && other.test(to) && !(isType && but === 'types'),
  )
  if (wall !== undefined) return wall[2]
  const [room, target] = [roomOf(from), roomOf(to)]
  if (room !== target) {
    const allowed = ROOMS[room] ?? []
    return allowed.includes(target) || (isType && allowed.includes(`type ${target}`))
      ? undefined
      : `${room} may not import ${target}`
  }
  if (room !== 'commands' || from === 'commands/tree.ts' || nounOf(from) === nounOf(to)) return undefined
  return nounOf(to) === undefined && to !== 'commands/tree.ts' ? undefined : 'a noun knows no other'
}
