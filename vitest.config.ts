import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'
import { SkippedTests } from './test/support/skipped-tests.ts'

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
const ENV = { NODE_EXTRA_CA_CERTS: '' }

/** Tests that start processes and wait for them. */
const TAKES_LONG =
  /\/test\/(?:imports|terminal|crashes|durability|histories|simulation|docs|examples|contract)\/|\/commands\/examples\./

const takesLong = ({ moduleId }: TestSpecification) => TAKES_LONG.test(moduleId)

/** Runs slow files first, so that no core is idle at the end, even in a fresh clone without measured durations. */
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => Number(takesLong(other)) - Number(takesLong(one)))
  }
}

export default defineConfig({
  test: {
    // A busy machine can take ten times as long; that alone isn't a failure.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Vitest would keep one core for itself, which is half of two, and some files mostly wait.
    maxWorkers: availableParallelism() + 1,
    // Files share modules, and must restore what they change: loading modules for each file would take a third of the time.
    isolate: false,
    sequence: { sequencer: LongFirst },
    reporters: ['default', new SkippedTests()],
    projects: [
      {
        extends: true,
        test: { name: 'all', include: ['test/**/*.test.ts'], env: ENV },
      },
      {
        extends: true,
        test: {
          name: 'over-http',
          include: RULES.map((name) => `test/sandbox/${name}.test.ts`),
          env: { ...ENV, SANDBOX_OVER: 'http' },
          // After the others, because projects don't share workers.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
