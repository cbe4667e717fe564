import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { httpClient } from '../histories/http-client.ts'
import { serveFolder } from '../histories/served.ts'
import { hasPostgres, teamDatabase } from '../client/ledger/team/postgres.ts'
import { at, newFolder, textAt } from '../sandbox/service.ts'
import { planRow, writeTestPlan } from '../support/batch-plan.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'

/** Of an attempt that may take a second, and a little more. */
const LEASE_MS = 32_000
const PAYMENTS = 4
const ROWS_OF_EACH = 3
const READY = PAYMENTS * ROWS_OF_EACH

test.skipIf(!hasPostgres).each([600, 1200, 1800])(
  'of two machines that apply one plan, one is killed after %i ms and the other continues: each row is done once',
  async (afterMs) => {
    const { url } = await teamDatabase()
    const served = await serveFolder(newFolder())
    const service = httpClient(served.url)
    onTestFinished(() => service.close())
    const bench = createSpawnBench()
    onTestFinished(() => bench.dispose())
    const payments = await Promise.all(
      Array.from({ length: PAYMENTS }, async (_, number) => {
        const body = {
          paymentMethodToken: 'tok_autocapture',
          amount: 4990,
          currencyCode: 'EUR',
          orderId: `order-${number}`,
        }
        return textAt((await service.send('POST', '/payments', body, `key-${number}`)).body, 'id')
      }),
    )
    const rows = Array.from({ length: READY }, (_, row) => planRow(row + 1, payments[row % PAYMENTS] ?? ''))
    writeTestPlan(join(bench.folder, 'p.plan.ndjson'), rows, {
      account: 'acme',
      baseUrl: served.url,
      createdAt: new Date().toISOString(),
    })
    const machine = (name: string) => {
      const folder = join(bench.folder, name)
      for (const path of [folder, join(folder, 'config'), join(folder, 'state')])
        mkdirSync(path, { recursive: true, mode: 0o700 })
      const env = {
        PAY_API_KEY: 'sandbox_all',
        PAY_BASE_URL: served.url,
        PAY_LEDGER: url,
        PAY_LEDGER_ACCOUNT: 'acme',
        PAY_CONFIG_DIR: join(folder, 'config'),
        PAY_STATE_DIR: join(folder, 'state'),
        HOME: folder,
      }
      return (more = '') =>
        bench.start(
          `batch apply p.plan.ndjson --json --yes --expect-total '60.00 EUR' --expect-count ${READY} --timeout 1s ${more}`,
          { env, cwd: bench.folder },
        )
    }
    const [killed, other] = [machine('killed'), machine('other')]
    const dying = killed('--rate 20')
    const running = other('--rate 20')
    const timer = setTimeout(() => dying.kill('SIGKILL'), afterMs)
    const [, first] = await Promise.all([dying.ended, running.ended])
    clearTimeout(timer)

    expect(JSON.parse(first.stdout), first.stderr).toMatchObject({ skipped: 0, failed: 0, unknown: 0 })
    await new Promise((resolve) => setTimeout(resolve, LEASE_MS))
    for (const again of [other, killed]) {
      const ended = await again().ended
      expect(ended.exitCode, ended.stderr).toBe(0)
      expect(JSON.parse(ended.stdout)).toMatchObject({ done: READY })
    }
    for (const id of payments) {
      const { body } = await service.send('GET', `/payments/${id}`)
      expect(at(body, 'processor', 'amountRefunded')).toBe(500 * ROWS_OF_EACH)
    }
  },
  180_000,
)
