import { OPERATIONS } from '../../api/table.ts'

/** The processors that can take a payment, one row for each merchant account. */
export const PROCESSORS = [
  {
    name: 'SANDBOX_ALPHA',
    processorMerchantId: 'alpha-1',
    what: "takes every payment that doesn't name a processor",
  },
  {
    name: 'SANDBOX_BETA',
    processorMerchantId: 'shared-1',
    what: 'shares its merchant ID with SANDBOX_GAMMA',
  },
  { name: 'SANDBOX_BETA', processorMerchantId: 'beta-1', what: 'can be chosen by its merchant ID alone' },
  {
    name: 'SANDBOX_GAMMA',
    processorMerchantId: 'shared-1',
    what: 'shares its merchant ID with SANDBOX_BETA',
  },
] as const

export const LOYALTY_CONNECTIONS = [
  {
    connectionId: 'points-1',
    connectionName: 'SANDBOX_POINTS',
    startingBalance: 10_000,
    what: 'every customer starts with 10,000 points',
  },
] as const

const scopesOf = (rows: readonly { readonly scope: string }[]) => [...new Set(rows.map((row) => row.scope))]

export interface SandboxKey {
  readonly key: string
  readonly scopes: readonly string[]
  readonly what: string
}

export const SANDBOX_KEYS: readonly SandboxKey[] = [
  { key: 'sandbox_all', scopes: scopesOf(OPERATIONS), what: 'every scope' },
  {
    key: 'sandbox_readonly',
    scopes: scopesOf(OPERATIONS.filter((row) => row.risk === 'read')),
    what: 'read-only',
  },
  {
    key: 'sandbox_nobeta',
    scopes: scopesOf(OPERATIONS.filter((row) => !row.beta)),
    what: 'everything but observability and loyalty',
  },
]
