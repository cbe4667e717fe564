import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests of the service's rules: they hold in process and over HTTP. */
const RULES = [
  'checks',
  'enumerations',
  'fixtures',
  'idempotency',
  'instrument',
  'loyalty',
  'metadata',
  'observability',
  'payment-authorization',
  'payment-create',
  'payment-list',
  'payment-settle',
  'session',
  'versions',
]
const ENV = { NODE_EXTRA_CA_CERTS: '' }

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Vitest leaves one core to itself, which is half of two. Most of these files wait for a process or a disk now and then.
    maxWorkers: availableParallelism(),
    // No file changes what another one imports: to load the modules anew for each would be a third of the whole time.
    isolate: false,
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
          // After the others: workers are not shared between projects.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
