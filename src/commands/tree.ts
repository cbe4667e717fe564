import type { Tree } from '../cli/command/spec.ts'

/** Every command. Each is loaded when it is named. */
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
      explain: () => import('./payment/explain/explain.ts'),
    },
  },
  observability: {
    summary: 'Records of payments made elsewhere',
    alias: 'obs',
    verbs: {
      push: () => import('./observability/push.ts'),
      update: () => import('./observability/update.ts'),
      import: () => import('./observability/import.ts'),
      template: () => import('./observability/template.ts'),
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
  ops: {
    summary: 'The ledger: what was sent, what is in doubt',
    verbs: {
      list: () => import('./ops/list.ts'),
      show: () => import('./ops/show.ts'),
      resolve: () => import('./ops/resolve.ts'),
      abandon: () => import('./ops/abandon.ts'),
    },
  },
  profile: {
    summary: 'Accounts of yours: keys, addresses, limits',
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
    summary: "This machine's own payment service",
    verbs: {
      start: () => import('./sandbox/start.ts'),
      status: () => import('./sandbox/status.ts'),
      stop: () => import('./sandbox/stop.ts'),
      tokenize: () => import('./sandbox/tokenize.ts'),
      challenge: () => import('./sandbox/challenge.ts'),
      clock: () => import('./sandbox/clock.ts'),
      faults: () => import('./sandbox/faults.ts'),
      requests: () => import('./sandbox/requests.ts'),
      reset: () => import('./sandbox/reset.ts'),
      scenarios: () => import('./sandbox/scenarios.ts'),
    },
  },
  smoke: {
    summary: 'The whole life of a payment, step by step, on a test profile',
    load: () => import('./top/smoke/smoke.ts'),
  },
  api: { summary: 'Call any path of the service', load: () => import('./top/api.ts') },
  whoami: { summary: 'Which account is used, and why', load: () => import('./top/whoami.ts') },
  doctor: {
    summary: 'What could go wrong on this machine, and what to do about it',
    load: () => import('./top/doctor/doctor.ts'),
  },
  schema: {
    summary: 'The operations of the service, as JSON Schema or OpenAPI',
    load: () => import('./top/schema.ts'),
  },
  commands: {
    summary: 'Every command, with its arguments, values and risk, for programs',
    load: () => import('./top/commands.ts'),
  },
  completion: {
    summary: 'Make bash, zsh, fish or PowerShell complete what you type',
    load: () => import('./top/completion.ts'),
  },
  help: { summary: 'Help on a command or a topic', load: () => import('./top/help.ts') },
}
