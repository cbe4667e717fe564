import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import iconv from 'iconv-lite'
import { expect, onTestFinished, test } from 'vitest'
import { serveFolder } from '../histories/served.ts'
import { httpClient } from '../histories/http-client.ts'
import { newFolder } from '../sandbox/service.ts'
import { splitWords } from '../support/run-pay.ts'
import { createSpawnBench } from '../support/spawn-pay.ts'
import { HAS_SSH_KEYGEN, makeTeam } from '../support/signing-team.ts'

/** As in an incident: SHEET_ROWS=400 npm run test:deep -- test/crashes/german-spreadsheet */
const ROWS = Number(process.env['SHEET_ROWS'] ?? 60)

/** What people write, the verdict, and the correction; undefined for a row to remove. */
const KINDS: readonly (readonly [cell: string, verdict: string, corrected?: string])[] = [
  ['7,50', 'ready'],
  ['€ 7,50', 'ready'],
  ['5,-', 'ready'],
  ['7,50 EUR', 'ready'],
  ['', 'bad_row', 'all'],
  ['-5,00', 'bad_row', '5,00'],
  ['fünf', 'bad_row', '5,00'],
  ['12.34', 'bad_row', '12,34'],
  ['12,00 USD', 'bad_row', '12,00'],
  ['99,90', 'exceeds_remaining', '9,90'],
]
const kindOf = (row: number) => KINDS[row % KINDS.length] ?? KINDS[0]!

test.skipIf(!HAS_SSH_KEYGEN)(
  'a German spreadsheet with every kind of mistake is refunded once, through corrections, approvals and kills',
  async () => {
    const bench = createSpawnBench()
    onTestFinished(() => bench.dispose())
    const served = await serveFolder(newFolder())
    const service = httpClient(served.url)
    onTestFinished(() => service.close())
    const at = (name: string) => join(bench.folder, name)
    const pay = (words: string | readonly string[], stdin?: string) =>
      bench.pay(words, { cwd: bench.folder, ...(stdin === undefined ? {} : { stdin }) })
    const fileOf = (name: string) => iconv.decode(readFileSync(at(name)), 'windows-1252')
    const team = makeTeam(bench.folder, ['anna', 'ben', 'cara'])
    await pay(
      `profile add shop --base-url ${served.url} --live --approvals 2 --signers ${team.signersFile} --api-key-stdin`,
      'sandbox_all',
    )
    const rows = Array.from({ length: ROWS }, (_, row) => row)
    for (const row of rows)
      await service.send('POST', '/payments', {
        orderId: `B-${row}`,
        currencyCode: 'EUR',
        amount: 4990,
        paymentMethodToken: 'tok_autocapture',
      })
    const sheet = rows.map((row) => `B-${row};${kindOf(row)[0]};Müller`).join('\r\n')
    writeFileSync(at('a.csv'), iconv.encode(`Bestellnr.;Betrag (EUR);Kundin\r\n${sheet}\r\n`, 'windows-1252'))

    const template = await pay('batch template a.csv')
    const flags = splitWords(template.stdout.replaceAll('\\\n', '').trim()).slice(5)
    const plan = (file: string, rejects: string) =>
      pay([
        'batch',
        'plan',
        'refund',
        file,
        ...flags,
        '--rejects',
        rejects,
        '--key',
        team.keyOf('anna'),
        '--json',
      ])
    const first = await plan('a.csv', 'x.csv')
    const ready = rows.filter((row) => kindOf(row)[1] === 'ready')
    expect(first, first.stderr).toMatchObject({ exitCode: 14 })
    expect(JSON.parse(first.stdout)).toMatchObject({ rows: ROWS, ready: ready.length })
    const [header = '', ...lines] = fileOf('x.csv').trimEnd().split('\n')
    expect(header).toBe('Bestellnr.;Betrag (EUR);Kundin;reason_not_done')
    const corrected = lines.map((line) => {
      const [order = '', , who = '', why = ''] = line.split(';')
      const [, verdict, cell = ''] = kindOf(Number(order.slice(2)))
      expect(why.replace(/^"/, '')).toContain(`${verdict}: `)
      return `${order};${cell};${who};${why.startsWith('"') ? `"${verdict}"` : verdict}`
    })
    writeFileSync(at('x.csv'), iconv.encode(`${header}\n${corrected.join('\n')}\n`, 'windows-1252'))
    const second = await plan('x.csv', 'y.csv')
    expect(second, second.stderr).toMatchObject({ exitCode: 0 })
    expect(fileOf('y.csv')).toBe(`${header}\n`)

    for (const [name, { stdout }] of [
      ['a', first],
      ['x', second],
    ] as const) {
      for (const who of ['ben', 'cara'])
        expect(
          await pay(['batch', 'approve', `${name}.plan.ndjson`, '--key', team.keyOf(who), '--yes']),
        ).toMatchObject({ exitCode: 0 })
      const { totals, ready: count }: { totals: { amount: number }[]; ready: number } = JSON.parse(stdout)
      const total = `${((totals[0]?.amount ?? 0) / 100).toFixed(2)} EUR`
      const words = ['batch', 'apply', `${name}.plan.ndjson`, '--rejects', 'left.csv', '--yes', '--json']
      const apply = [...words, '--expect-total', total, '--expect-count', String(count)]
      for (const afterMs of [1_500, 3_000]) {
        const running = bench.start([...apply, '--rate', '10/s'], { cwd: bench.folder })
        const timer = setTimeout(() => running.kill('SIGKILL'), afterMs)
        await running.ended
        clearTimeout(timer)
      }
      const ended = await pay(apply)
      expect(ended, ended.stderr).toMatchObject({ exitCode: 0 })
      expect(JSON.parse(ended.stdout)).toMatchObject({ done: count, left: 0 })
      expect([0, 8]).toContain((await pay(`batch verify ${name}.plan.ndjson`)).exitCode)
    }
    const listed = await pay('ops list --json')
    const writes: { target: string; state: string }[] = JSON.parse(listed.stdout)
    const confirmed = writes.filter(({ state }) => state === 'confirmed').map(({ target }) => target)
    expect(new Set(confirmed).size).toBe(ROWS)
    expect(confirmed).toHaveLength(ROWS)
  },
  600_000,
)
