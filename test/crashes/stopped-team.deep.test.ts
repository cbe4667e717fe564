import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { httpClient } from '../histories/http-client.ts'
import { serveFolder } from '../histories/served.ts'
import { hasPostgres, teamDatabase } from '../client/ledger/team/postgres.ts'
import { at, newFolder, textAt } from '../sandbox/service.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'
import type { Running } from '../support/spawn-pay.ts'
import { startRelay } from './relay.ts'

/** Of an attempt that may take a second, and a little more. */
const LEASE_MS = 32_000
/** The database takes a second to commit a new write, in which its process can be stopped. */
const SLOW_COMMIT = `
  CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(1); RETURN NULL; END $$;
  CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON writes DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow()`

const CASES = [
  { stopped: 'claimed', exitCode: 6 },
  { stopped: 'arrived', exitCode: 10 },
  { stopped: 'handled', exitCode: 10 },
] as const

test.skipIf(!hasPostgres)(
  'a process that is stopped through its lease, and goes on after a colleague resolved, sends nothing more',
  async () => {
    const bench = createSpawnBench()
    onTestFinished(() => bench.dispose())
    const { url, sql } = await teamDatabase()
    await sql(SLOW_COMMIT)
    const served = await serveFolder(newFolder())
    const service = httpClient(served.url)
    onTestFinished(() => service.close())
    const onMoment = new Map<string, (moment: string) => void>()
    const relay = await startRelay(served.url, (moment, _, path) => onMoment.get(path)?.(moment))
    const envOf = (client: string) => {
      const folder = join(bench.folder, client)
      mkdirSync(folder, { mode: 0o700 })
      const account = { PAY_API_KEY: 'sandbox_all', PAY_LEDGER: url, PAY_LEDGER_ACCOUNT: 'acme' }
      const folders = { PAY_CONFIG_DIR: folder, PAY_STATE_DIR: folder, HOME: folder }
      return { env: { PAY_BASE_URL: relay.url, ...account, ...folders } }
    }
    const stopped = new Map<string, { readonly payment: string; readonly running: Running }>()
    const start = async (name: string) => {
      const made = await service.send(
        'POST',
        '/payments',
        { paymentMethodToken: 'tok_autocapture', amount: 1000, currencyCode: 'EUR', orderId: name },
        name,
      )
      const payment = textAt(made.body, 'id')
      const words = `payment refund ${payment} --amount 100 --yes --json --timeout 1s --max-retries 3`
      const running = bench.start(words, envOf(name))
      stopped.set(name, { payment, running })
      return { payment, running }
    }

    for (const { stopped: name } of CASES) {
      const { payment, running } = await start(name)
      if (name === 'claimed')
        await expect
          .poll(() => sql("SELECT FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active'"), {
            timeout: 30_000,
            interval: 20,
          })
          .toHaveLength(1)
      else
        await new Promise<void>((resolve) => {
          onMoment.set(`/payments/${payment}/refund`, (moment) => {
            if (moment !== name) return
            resolve()
            // Ends the connection without a response.
            throw new Error('lost')
          })
        })
      running.kill('SIGSTOP')
    }

    onMoment.clear()
    const colleague = envOf('colleague')
    const early = await bench.pay('ops resolve --all --yes', colleague)
    expect(early, early.stdout).toMatchObject({ exitCode: 10 })
    await new Promise((resolve) => setTimeout(resolve, LEASE_MS))
    const resolved = await bench.pay('ops resolve --all --yes', colleague)
    expect(resolved, resolved.stdout + resolved.stderr).toMatchObject({ exitCode: 0 })

    const sentLate: string[] = []
    for (const { stopped: name, exitCode } of CASES) {
      const { running, payment } = stopped.get(name) ?? expect.fail(name)
      onMoment.set(`/payments/${payment}/refund`, () => sentLate.push(name))
      running.kill('SIGCONT')
      const ended = await running.ended
      expect(ended, `${name}: ${ended.stderr}`).toMatchObject({ exitCode })
      const { body } = await service.send('GET', `/payments/${payment}`)
      expect(at(body, 'processor', 'amountRefunded'), name).toBe(100)
    }
    expect(sentLate).toEqual([])
  },
  180_000,
)
