import { afterEach, beforeAll } from 'vitest'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import { teamDatabase } from '../../client/ledger/team/postgres.ts'
import { createBench, jsonAnswer, splitWords } from '../../support/run-pay.ts'
import type { Bench, RunOptions } from '../../support/run-pay.ts'

/** Machines that share a team's ledger on a real PostgreSQL, with their commands. */

export const PAYMENT = {
  id: 'p1',
  status: 'SETTLED',
  amount: 1000,
  currencyCode: 'EUR',
  amountCaptured: 1000,
}
export const answers = () => jsonAnswer(200, PAYMENT)

/** Loses the response to every write. */
export const lost = ({ method }: { readonly method: string }) => {
  if (method === 'GET') return answers()
  throw new TransportFailure('cut', true, 'the connection ended')
}

/** The environment of a machine without a profile. */
export const teamEnv = (url: string, { folder }: Bench, key = 'key-a') => ({
  PAY_BASE_URL: 'https://api.example.com',
  PAY_API_KEY: key,
  PAY_LEDGER: url,
  PAY_LEDGER_ACCOUNT: 'acme',
  HOME: folder,
})

/** One database for the tests of a suite. The machines of each test are removed after it. */
export function useTeam() {
  let database: Awaited<ReturnType<typeof teamDatabase>>
  const benches: Bench[] = []
  beforeAll(async () => {
    database = await teamDatabase()
  })
  afterEach(() => {
    for (const bench of benches.splice(0)) bench.dispose()
  })
  function newBench(): Bench {
    const bench = createBench({ idsAfter: 1000 * benches.length })
    benches.push(bench)
    return bench
  }
  return {
    get url() {
      return database.url
    },
    get name() {
      return database.name
    },
    sql: (statements: string) => database.sql(statements),
    newBench,
    /** Runs commands on another machine, without a profile. */
    machine: (key: string) => {
      const bench = newBench()
      return {
        pay: (line: string, options: RunOptions = {}) =>
          bench.runPay(splitWords(line), {
            service: answers,
            ...options,
            env: { ...teamEnv(database.url, bench, key), ...options.env },
          }),
      }
    },
  }
}
