import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { lockOutputs } from '../../../src/rows/keep/lock-file.ts'
import { errorOf } from '../../support/run-result.ts'
import { useBatchBench } from './batch-bench.ts'

const { bench, pay, payment, plan, read, rowsIn, write } = useBatchBench()

const GERMAN =
  '--map orderId=Bestellung --map amount=Betrag --const currencyCode=EUR --amounts major --decimal-comma'
const UMLAUTS = 'Gr\u00f6\u00dfe;Bestellung;Betrag'
const ENCODINGS = [
  ['utf-8', '', (text: string) => Buffer.from(text)],
  ['utf-8 with a mark', '', (text: string) => Buffer.from(`\uFEFF${text}`)],
  ['windows-1252', '--encoding windows-1252', (text: string) => Buffer.from(text, 'latin1')],
  ['utf-16le with a mark', '', (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
] as const
const bytesOf = (name: string) => readFileSync(join(bench().folder, name))

describe('the rejects of a plan', () => {
  test.each(ENCODINGS)(
    'have the columns, the delimiter and the encoding of the input: %s',
    async (_, flags, encode) => {
      await payment('A-1')
      writeFileSync(
        join(bench().folder, 'in.csv'),
        encode(`${UMLAUTS}\ngro\u00df;A-1;5,00\nk\u00fchl;A-2;5,00\n`),
      )
      const ran = await pay(`batch plan refund in.csv --rejects x.csv ${GERMAN} ${flags}`)
      expect(ran.exitCode).toBe(14)
      const reason = 'not_found: no payment has this order: check the order ID and the profile'
      const rejects = `${UMLAUTS};reason_not_done\nk\u00fchl;A-2;5,00;${reason}\n`
      expect(bytesOf('x.csv')).toEqual(encode(rejects))
      expect(ran.stderr).toContain('Rejects: x.csv (1 row, each with the reason)')
      expect(ran.stderr).toContain(`pay --sandbox batch plan refund x.csv ${GERMAN.split(' --const')[0]}`)

      writeFileSync(
        join(bench().folder, 'x.csv'),
        encode(rejects.replace('A-2', 'A-1').replace('5,00', '6,00')),
      )
      const again = await pay(`batch plan refund x.csv --rejects y.csv ${GERMAN} ${flags}`)
      expect(again).toMatchObject({ exitCode: 0 })
      expect(bytesOf('y.csv')).toEqual(encode(`${UMLAUTS};reason_not_done\n`))
      expect(rowsIn('x.plan.ndjson')).toEqual([expect.objectContaining({ verdict: 'ready', amount: 600 })])
    },
  )

  test('of NDJSON, compressed input and stdin are plain, with the reason as a field', async () => {
    const line = '{"paymentId":"p9","amount":"5.00 EUR","note":12345678901234567890}'
    const reason =
      '"reason_not_done":"bad_row: note \\"12345678901234567890\\" is not a field of a batch row"'
    const rejects = `${line.slice(0, -1)},${reason}}\n`
    writeFileSync(join(bench().folder, 'in.ndjson.gz'), gzipSync(`${line}\n`))
    await pay('batch plan refund in.ndjson.gz --rejects x.ndjson')
    expect(read('x.ndjson')).toBe(rejects)
    await pay('batch plan refund - --format ndjson --out p --rejects x.ndjson', { stdin: `${line}\n` })
    expect(read('x.ndjson')).toBe(rejects)
  })

  test('replace the reason of an earlier pass, undo its guard against formulas, and keep a negative number', async () => {
    const csv = 'paymentId,amount,reason_not_done,reason\np9,-1,old,-x\n'
    await plan('refund', csv, '--rejects x.csv')
    const header = 'paymentId,amount,reason,reason_not_done\n'
    expect(read('x.csv')).toMatch(`${header}p9,-1,'-x,"bad_row: `)
    write('y.csv', read('x.csv'))
    await pay('batch plan refund y.csv --rejects x.csv')
    expect(read('x.csv')).toMatch(`${header}p9,-1,'-x,"bad_row: `)
    expect(rowsIn('y.plan.ndjson')[0]).toMatchObject({ reason: '-x' })
  })

  test('are not written while another process writes them', async () => {
    const release = lockOutputs(bench().stateFolder, [join(bench().folder, 'x.csv')], () => {
      throw new Error('locked')
    })
    write('in.csv', 'paymentId,amount\np9,1\n')
    const ran = await pay('batch plan refund in.csv --rejects x.csv --json')
    release()
    expect(ran).toMatchObject({ exitCode: 6, stdout: '', requests: [] })
    expect(errorOf(ran)).toMatchObject({ code: 'batch_running' })
    expect(existsSync(join(bench().folder, 'x.csv'))).toBe(false)
  })

  test('never replace another file, the input or the plan', async () => {
    write('notes.csv', 'paymentId,amount,reason\n')
    for (const [name, code] of [
      ['notes.csv', 'unwritable_file'],
      ['in.csv', 'two_sources'],
      ['in.plan.ndjson', 'two_sources'],
    ]) {
      write('in.csv', 'paymentId,amount\np9,1\n')
      const ran = await pay(`batch plan refund in.csv --rejects ${name} --json`)
      expect(ran).toMatchObject({ exitCode: 2, stdout: '', requests: [] })
      expect(errorOf(ran)).toMatchObject({ code })
    }
    expect(read('notes.csv')).toBe('paymentId,amount,reason\n')
  })
})

describe('a row that is planned again', () => {
  const moved = (id: string, more = '') =>
    plan('refund', `paymentId,amount,ticket,reason_not_done\n${id},500,${more},payment_moved\n`, '--again')

  test('may be done if its payment moved: neither --again nor a ticket lifts that', async () => {
    const id = await payment('o-1')
    for (const ticket of ['', 'T-1']) {
      const { rows } = await moved(id, ticket)
      expect(rows[0]).toMatchObject({
        verdict: 'possible_duplicate',
        message: expect.stringContaining('clear reason_not_done'),
      })
    }
    const { rows } = await plan('refund', `paymentId,amount,reason_not_done\n${id},500,\n`)
    expect(rows[0]).toMatchObject({ verdict: 'ready' })
  })

  test.each(['', 'T-1'])('is not done twice, with the ticket "%s"', async (ticket) => {
    const [a, b] = [await payment('o-1'), await payment('o-2')]
    const csv = `order,paymentId,amount,ticket\n1,${a},500,${ticket}\n2,${b},6000,${ticket}\n`
    await plan('refund', csv, '--map paymentId=paymentId --rejects x.csv')
    await pay('batch apply in.plan.ndjson --rejects x.csv')
    expect(read('x.csv')).toMatch(
      new RegExp(
        `^order,paymentId,amount,ticket,reason_not_done\n2,${b},6000,${ticket},exceeds_remaining: .*\n$`,
      ),
    )
    write('x.csv', read('x.csv').replace('6000', '600'))
    expect((await pay('batch plan refund x.csv --map paymentId=paymentId')).exitCode).toBe(0)
    await pay('batch apply x.plan.ndjson --rejects y.csv')
    expect(read('y.csv')).toBe('order,paymentId,amount,ticket,reason_not_done\n')
    const all = await plan('refund', csv.replace('6000', '600'), '--map paymentId=paymentId')
    const verdict = ticket === '' ? 'possible_duplicate' : 'done_before'
    expect(all.rows).toEqual([expect.objectContaining({ verdict }), expect.objectContaining({ verdict })])
  })
})

describe('the rejects of apply', () => {
  test.each([
    ['changed', () => write('in.csv', 'paymentId,amount,who\nx,1,\n')],
    ['gone', () => rmSync(join(bench().folder, 'in.csv'))],
  ])(
    'have the columns of the plan if the input has %s, and no column that it does not use',
    async (_, lose) => {
      const id = await payment('o-1')
      await plan('refund', `paymentId,amount,who\n${id},60.00 EUR,Anna\n`, '--map paymentId=paymentId')
      expect(read('in.plan.ndjson')).not.toContain('Anna')
      lose()
      const ran = await pay('batch apply in.plan.ndjson --rejects x.csv')
      expect(ran.stderr).toContain(
        "in.csv has changed or gone since the plan, so x.csv has the plan's own columns",
      )
      const [header, row] = read('x.csv').split('\n')
      expect(header).toBe('paymentId,orderId,amount,currencyCode,reason,ticket,final,reason_not_done')
      expect(row).toContain(`${id},o-1,60.00 EUR,EUR,,,,exceeds_remaining: `)
      write('x.csv', read('x.csv').replace('60.00', '6.00'))
      expect((await pay('batch plan refund x.csv')).exitCode).toBe(0)
    },
  )

  test('find the input next to a plan that was moved with it', async () => {
    const id = await payment('o-1')
    await plan('refund', `paymentId,amount,who\n${id},60.00 EUR,Anna\n`, '--map paymentId=paymentId')
    const shown = await bench().runPay('batch show in.plan.ndjson --json')
    expect(JSON.parse(shown.stdout).data[0]).toMatchObject({ line: 2, cells: { who: 'Anna' } })
    await pay('batch apply in.plan.ndjson --rejects x.csv')
    expect(read('x.csv')).toContain('60.00 EUR,Anna,exceeds_remaining')
  })
})
