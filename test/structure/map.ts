import { PAGE_ROOMS } from './page-rooms.ts'

/** The tables of operations and actions, without schemas. */
const TABLES = ['api', 'api/facts', 'api/actions'] as const
const MODELS = [...TABLES, 'api/models', 'api/operations'] as const
const PORT = ['ledger/port.ts', 'ledger/moment.ts'] as const
const OUTSIDE = [...TABLES, 'json', 'money', 'output', 'config', ...PORT] as const
const SANDBOX = [
  'api',
  'api/facts',
  'api/models',
  'api/operations',
  'api/table.ts',
  'json',
  'money',
  'sandbox',
] as const
const PAYMENT = [
  ...SANDBOX,
  'sandbox/domain',
  'sandbox/domain/scenarios',
  'sandbox/domain/store',
  'sandbox/domain/payment',
] as const
const DOMAIN = [...PAYMENT, 'sandbox/domain/checkout'] as const
const LEDGER = ['ledger', 'ledger/team'] as const
const CLI = [...OUTSIDE, ...MODELS, 'api/table.ts', 'calls', 'http', ...LEDGER] as const
const BULK = [...MODELS, 'calls', 'json', 'money', 'bulk'] as const
const BATCH = [...BULK, 'ledger/port.ts', 'bulk/map', 'bulk/read', 'bulk/keep', 'bulk/send', 'batch'] as const
const VIEWS = [...MODELS, 'api/table.ts', 'money', 'output', 'views'] as const

/**
 * Who may import whom; `docs/architecture.md` draws it. A room is a folder, or one file that is above or below the
 * rest of its folder. Files of a room may import each other and the rooms listed, and no others. `ENTRIES` may import
 * everything, and everyone may import `EVERYWHERE`. For `commands`, see `mayMeet`.
 */
export const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  json: [],
  money: [],

  api: [],
  'api/facts': ['api'],
  'api/models': ['api'],
  'api/actions': ['api', 'api/facts', 'api/models'],
  'api/operations': ['api', 'api/facts', 'api/models'],
  'api/table.ts': ['api', 'api/facts', 'api/operations'],
  'api/schemas': ['api', 'api/facts', 'api/models', 'api/table.ts'],

  config: ['api/facts', 'json', 'store'],
  output: ['json', 'money'],

  store: [],
  'ledger/moment.ts': [],
  'ledger/port.ts': ['ledger/moment.ts'],
  ledger: ['api/facts', ...PORT, 'store', 'money'],
  'ledger/team': ['ledger', 'store'],

  http: ['json'],
  calls: [...MODELS, 'http', 'json', ...PORT],
  'calls/recovery': [...MODELS, 'http', 'json', ...PORT, 'calls'],
  'calls/client.ts': ['http', ...PORT, 'calls', 'calls/recovery'],

  insights: ['api', 'api/models', 'money'],

  bulk: [],
  'bulk/map': BULK,
  'bulk/read': [...BULK, 'bulk/map'],
  'bulk/keep': [...BULK, 'store', 'bulk/read'],
  'bulk/send': [...BULK, 'http', 'bulk/map', 'bulk/read', 'bulk/keep'],
  import: [...BULK, 'http', 'store', 'bulk/map', 'bulk/read', 'bulk/keep', 'bulk/send'],

  batch: TABLES,
  'batch/file': BATCH,
  'batch/read': BATCH,
  'batch/plan': [...BATCH, 'batch/file', 'batch/read'],
  'batch/approve': [...BATCH, 'batch/file'],
  'batch/apply': [...BATCH, 'http', 'store', 'batch/file', 'batch/approve'],
  'batch/verify': [...BATCH, 'batch/file', 'batch/read'],

  views: [...MODELS, 'api/table.ts', 'config', 'money', 'output'],
  'views/payment': [...VIEWS, 'views/ops', 'ledger', 'search'],
  'views/ops': [...VIEWS, 'ledger'],
  'views/import': [...VIEWS, 'bulk', 'bulk/map', 'bulk/keep', 'import'],
  'views/batch': [...VIEWS, 'batch', 'batch/plan', 'batch/apply', 'batch/verify'],
  'views/instrument': VIEWS,
  'views/session': VIEWS,
  'views/top': [...VIEWS, 'insights'],

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
  'sandbox/domain/checkout': PAYMENT,
  'sandbox/request': [...SANDBOX, 'sandbox/domain', 'sandbox/domain/store'],
  'sandbox/answers': DOMAIN,
  'sandbox/handlers': [...DOMAIN, 'sandbox/request', 'sandbox/answers'],
  'sandbox/faults': [...SANDBOX, 'sandbox/answers', 'sandbox/request'],
  'sandbox/log': [
    ...SANDBOX,
    'sandbox/request',
    'sandbox/faults',
    'sandbox/domain',
    'sandbox/domain/scenarios',
  ],
  'sandbox/database': [...SANDBOX, 'store'],
  'sandbox/database/store': [...DOMAIN, 'store', 'sandbox/faults', 'sandbox/log', 'sandbox/database'],
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
    'sandbox/controls',
    'sandbox/faults',
    'sandbox/log',
    'sandbox/database',
    'sandbox/database/transactions.ts',
  ],
  'sandbox/controls': [
    ...DOMAIN,
    'insights',
    'sandbox/request',
    'sandbox/answers',
    'sandbox/faults',
    'sandbox/log',
  ],
  'sandbox/seed': [...DOMAIN, 'sandbox/pipeline', 'sandbox/database/transactions.ts'],
  'sandbox/serve': [
    ...SANDBOX,
    'sandbox/domain',
    'sandbox/request',
    'sandbox/answers',
    'sandbox/log',
    'sandbox/controls',
  ],
  ...PAGE_ROOMS,
  'sandbox/sandbox.ts': [
    ...DOMAIN,
    'sandbox/request',
    'sandbox/answers',
    'sandbox/faults',
    'sandbox/log',
    'sandbox/database',
    'sandbox/database/store',
    'sandbox/database/transactions.ts',
    'sandbox/pipeline',
    'sandbox/controls',
    'sandbox/seed',
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
  'cli/help': ['api', 'output', 'ledger', 'cli/command', 'cli/parse'],
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

  search: [...MODELS, 'config', 'calls', 'json', 'money', 'cli/command', 'cli/parse'],

  commands: [
    ...CLI,
    'search',
    'views',
    'bulk',
    'import',
    'batch',
    'batch/file',
    'batch/read',
    'batch/plan',
    'batch/approve',
    'batch/apply',
    'batch/verify',
    'insights',
    'cli',
    'api/schemas',
    'views/payment',
    'views/ops',
    'views/import',
    'views/batch',
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

/** The files that a program loads: they use the process, the clock and randomness. */
export const ENTRIES = ['main.ts', 'start-sandbox.ts']

/** Files next to the folders that know nothing about any of them. */
export const EVERYWHERE = [
  'errors.ts',
  'duration.ts',
  'local-time.ts',
  'suggest.ts',
  'version.ts',
  'private-folder.ts',
  'is-record.ts',
  'id-fault.ts',
  'luhn.ts',
  'shell-word.ts',
  'system-code.ts',
  'successors.ts',
]
