import { PAGE_ROOMS } from './page-rooms.ts'

const OUTSIDE = ['api', 'json', 'money', 'output', 'config', 'ledger/port.ts'] as const
const SANDBOX = ['api', 'api/models', 'api/operations', 'api/table.ts', 'json', 'money', 'sandbox'] as const
const PAYMENT = [
  ...SANDBOX,
  'sandbox/domain',
  'sandbox/domain/scenarios',
  'sandbox/domain/store',
  'sandbox/domain/payment',
] as const
const DOMAIN = [...PAYMENT, 'sandbox/domain/checkout'] as const
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
const BATCH = [...BULK, 'ledger/port.ts', 'bulk/map', 'bulk/read', 'bulk/keep', 'bulk/send', 'batch'] as const
const VIEWS = ['api', 'api/models', 'api/operations', 'api/table.ts', 'money', 'output', 'views'] as const

/**
 * Who may import whom; `docs/architecture.md` draws it. A room is a folder, or one file that is above or below the
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

  insights: ['api', 'api/models', 'money'],

  bulk: [],
  'bulk/map': BULK,
  'bulk/read': [...BULK, 'bulk/map'],
  'bulk/keep': [...BULK, 'bulk/read'],
  'bulk/send': [...BULK, 'http', 'bulk/map', 'bulk/read', 'bulk/keep'],
  import: [...BULK, 'bulk/map', 'bulk/read', 'bulk/keep', 'bulk/send'],

  batch: ['api'],
  'batch/file': BATCH,
  'batch/read': BATCH,
  'batch/plan': [...BATCH, 'batch/file', 'batch/read'],
  'batch/approve': [...BATCH, 'batch/file'],
  'batch/apply': [...BATCH, 'http', 'batch/file', 'batch/approve'],
  'batch/verify': [...BATCH, 'batch/file', 'batch/read'],

  views: ['api', 'api/models', 'api/operations', 'api/table.ts', 'money', 'output'],
  'views/payment': [...VIEWS, 'views/ops'],
  'views/ops': VIEWS,
  'views/import': VIEWS,
  'views/batch': [...VIEWS, 'batch'],
  'views/instrument': VIEWS,
  'views/session': VIEWS,
  'views/sandbox': VIEWS,
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
  'sandbox/faults': [...SANDBOX, 'sandbox/answers'],
  'sandbox/log': [...SANDBOX, 'sandbox/faults', 'sandbox/domain', 'sandbox/domain/scenarios'],
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
  'sandbox/controls': [
    ...DOMAIN,
    'insights',
    'sandbox/request',
    'sandbox/answers',
    'sandbox/faults',
    'sandbox/log',
  ],
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
    'sandbox/log',
    'sandbox/database',
    'sandbox/database/store',
    'sandbox/database/transactions.ts',
    'sandbox/log',
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

/** Files next to the folders that know nothing about any of them. */
export const EVERYWHERE = [
  'errors.ts',
  'duration.ts',
  'local-time.ts',
  'suggest.ts',
  'version.ts',
  'private-folder.ts',
  'is-record.ts',
  'shell-word.ts',
  'system-code.ts',
]
