import { isSandboxUrl, sandboxUrl } from '../../client/config/sandbox-url.ts'
import type { Account } from '../../client/config/resolve-account.ts'
import type { StoredRecord } from '../../client/ledger/record.ts'
import type { Context } from './context.ts'

/** The account as the ledger knows it: that of the embedded sandbox contains the identity of its data. */
export async function withIdentity(
  { sandboxIdentity }: Pick<Context, 'sandboxIdentity'>,
  account: Account,
  options: { readonly creates: boolean },
): Promise<Account> {
  if (account.kind === 'service') return account
  const value = sandboxUrl(await sandboxIdentity(options))
  return { ...account, baseUrl: { ...account.baseUrl, value } }
}

type EarlierSandboxTest = (record: Pick<StoredRecord, 'baseUrl'>) => boolean

/** Returns a test for writes to sandbox data that is gone. No write passes if the sandbox can't be read. */
export async function earlierSandboxTest({
  sandboxIdentity,
}: Pick<Context, 'sandboxIdentity'>): Promise<EarlierSandboxTest> {
  try {
    const current = sandboxUrl(await sandboxIdentity({ creates: false }))
    return ({ baseUrl }) => isSandboxUrl(baseUrl) && baseUrl !== current
  } catch {
    return () => false
  }
}
