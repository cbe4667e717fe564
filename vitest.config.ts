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
          // They share nothing but the modules, which need not be loaded for each file.
          isolate: false,
        },
      },
    ],
  },
})
