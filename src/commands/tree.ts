import type { Tree } from '../cli/command/spec.ts'

/** Every command. A command's module loads only when its name is used. */
export const TREE: Tree = {
  session: {
    summary: 'Client sessions',
    verbs: {
      create: () => import('./session/create.ts'),
      update: () => import('./session/update.ts'),
      get: () => import('./session/get.ts'),
    },
  },
  payment: {
    summary: 'Payments',
    verbs: {
      create: () => import('./payment/create.ts'),
      get: () => import('./payment/get.ts'),
      list: () => import('./payment/list.ts'),
      authorize: () => import('./payment/authorize.ts'),
      capture: () => import('./payment/capture.ts'),
      refund: () => import('./payment/refund.ts'),
      adjust: () => import('./payment/adjust.ts'),
      resume: () => import('./payment/resume.ts'),
      cancel: () => import('./payment/cancel.ts'),
      wait: () => import('./payment/wait/wait.ts'),
      explain: () => import('./payment/explain.ts'),
    },
  },
  observability: {
    summary: 'Records of payments made elsewhere',
    alias: 'obs',
    verbs: {
      push: () => import('./observability/push.ts'),
      update: () => import('./observability/update.ts'),
      get: () => import('./observability/get.ts'),
      list: () => import('./observability/list.ts'),
      import: () => import('./observability/import.ts'),
      template: () => import('./observability/template.ts'),
      split: () => import('./observability/split.ts'),
    },
  },
  loyalty: {
    summary: 'Loyalty points',
    verbs: {
      redeem: () => import('./loyalty/redeem.ts'),
      refund: () => import('./loyalty/refund.ts'),
    },
  },
  instrument: {
    summary: 'Saved payment methods',
    verbs: {
      list: () => import('./instrument/list.ts'),
      default: () => import('./instrument/default.ts'),
      delete: () => import('./instrument/delete.ts'),
      vault: () => import('./instrument/vault.ts'),
    },
  },
  ledger: {
    summary: "A team's ledger",
    verbs: {
      init: () => import('./ledger/init.ts'),
      join: () => import('./ledger/join.ts'),
      limit: () => import('./ledger/limit.ts'),
      status: () => import('./ledger/status.ts'),
    },
  },
  batch: {
    summary: 'Many refunds, captures or cancellations',
    verbs: {
      template: () => import('./batch/template.ts'),
      plan: () => import('./batch/plan.ts'),
      show: () => import('./batch/show.ts'),
      approve: () => import('./batch/approve.ts'),
      apply: () => import('./batch/apply.ts'),
      verify: () => import('./batch/verify.ts'),
      list: () => import('./batch/list.ts'),
    },
  },
  ops: {
    summary: 'Ledger of writes sent from this machine',
    verbs: {
      list: () => import('./ops/list.ts'),
      report: () => import('./ops/report.ts'),
      show: () => import('./ops/show.ts'),
      resolve: () => import('./ops/resolve.ts'),
      abandon: () => import('./ops/abandon.ts'),
      verify: () => import('./ops/verify.ts'),
    },
  },
  profile: {
    summary: 'Your accounts and their limits',
    verbs: {
      add: () => import('./profile/add.ts'),
      list: () => import('./profile/list.ts'),
      show: () => import('./profile/show.ts'),
      use: () => import('./profile/use.ts'),
      set: () => import('./profile/set.ts'),
      rename: () => import('./profile/rename.ts'),
      remove: () => import('./profile/remove.ts'),
    },
  },
  sandbox: {
    summary: 'Local payment service for testing',
    verbs: {
      start: () => import('./sandbox/start.ts'),
      status: () => import('./sandbox/status.ts'),
      stop: () => import('./sandbox/stop.ts'),
      open: () => import('./sandbox/open.ts'),
      tokenize: () => import('./sandbox/tokenize.ts'),
      challenge: () => import('./sandbox/challenge.ts'),
      clock: () => import('./sandbox/clock.ts'),
      faults: () => import('./sandbox/faults.ts'),
      requests: () => import('./sandbox/requests.ts'),
      compare: () => import('./top/smoke/compare.ts'),
      reset: () => import('./sandbox/reset.ts'),
      seed: () => import('./sandbox/seed.ts'),
      scenarios: () => import('./sandbox/scenarios.ts'),
    },
  },
  desk: {
    summary: 'Find a payment, see its story, and act on it, in one place',
    load: () => import('./desk/desk.ts'),
  },
  find: { summary: 'Find payments by what you know of them', load: () => import('./top/find.ts') },
  reconcile: {
    summary: "Compare a provider's settlement file with your payments",
    load: () => import('./top/reconcile.ts'),
  },
  insights: {
    summary: 'Counts, rates and sums over your payments',
    load: () => import('./top/insights.ts'),
  },
  smoke: {
    summary: 'Run a payment through its whole life cycle on a test profile',
    load: () => import('./top/smoke/smoke.ts'),
  },
  api: { summary: 'Call any API path', load: () => import('./top/api.ts') },
  whoami: { summary: 'Show which account is in use, and why', load: () => import('./top/whoami.ts') },
  doctor: {
    summary: 'Check this machine for problems, and suggest fixes',
    load: () => import('./top/doctor.ts'),
  },
  schema: {
    summary: 'Show API operations as JSON Schema or OpenAPI',
    load: () => import('./top/schema.ts'),
  },
  commands: {
    summary: 'List every command with its flags and risk, for programs',
    load: () => import('./top/commands.ts'),
  },
  completion: {
    summary: 'Print a completion script for bash, zsh, fish or PowerShell',
    load: () => import('./top/completion.ts'),
  },
  help: { summary: 'Show help on a command or a topic', load: () => import('./top/help.ts') },
}
