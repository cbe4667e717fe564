import { configDefaults, defineConfig, mergeConfig } from 'vitest/config'
import fast from './vitest.config.ts'

/** Tests of the service's rules, which run in process and over HTTP. */
const RULES = [
  'answers/older-versions',
  'controls/checkout-controls',
  'controls/checkout-page',
  'controls/settings-input',
  'controls/tokenize-methods',
  'domain/checkout/checkout-scenario',
  'domain/checkout/client-payment',
  'domain/checkout/pay-once',
  'handlers/fixtures',
  'handlers/instrument',
  'handlers/loyalty',
  'handlers/observability',
  'handlers/payment-adjust',
  'handlers/payment-authorize',
  'handlers/payment-cancel',
  'handlers/payment-capture',
  'handlers/payment-create',
  'handlers/payment-list',
  'handlers/payment-refund',
  'handlers/payment-resume',
  'handlers/payment-surcharge',
  'handlers/payment-terms',
  'handlers/payment-token',
  'handlers/payment-vaulting',
  'handlers/records',
  'handlers/session-create',
  'handlers/session-get',
  'handlers/session-update',
  'pipeline/check-request',
  'pipeline/client-requests',
  'pipeline/idempotency',
  'pipeline/refused-calls',
  'request/api-key',
  'request/body',
  'request/enumerations',
  'request/metadata',
  'request/route',
  'request/validation',
  'request/version-header',
  'request/versions',
]

/** What takes long: simulation, power cuts, kills, fuzzing, browsers, terminals, and the service's rules over HTTP. */
export default mergeConfig(
  { ...fast, test: { ...fast.test, include: [], exclude: configDefaults.exclude } },
  defineConfig({
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: 'deep',
            include: ['test/**/*.deep.test.ts', 'test/client/http/mutated-answers.test.ts'],
            env: { ANSWER_MUTATIONS: '10000' },
          },
        },
        {
          extends: true,
          test: {
            name: 'over-http',
            include: RULES.map((name) => `test/sandbox/${name}.test.ts`),
            env: { SANDBOX_OVER: 'http' },
            // After the others, because projects don't share workers.
            sequence: { groupOrder: 1 },
          },
        },
      ],
    },
  }),
)
