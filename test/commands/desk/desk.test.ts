import { writeFileSync } from 'node:fs'
import { beforeEach, describe, expect, test } from 'vitest'
import { useBench } from '../../support/use-bench.ts'
import { ledgerPath } from '../../../src/client/ledger/ledger-file.ts'
import { atDesk } from './at-desk.ts'
import { KEYS } from '../../support/prompt-terminal.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { paymentOf, serviceOf, writesIn } from './desk-service.ts'
import { TransportFailure } from '../../../src/client/http/transport-port.ts'
import { envelope } from '../../support/error-envelope.ts'
import { jsonAnswer } from '../../support/run-pay.ts'

const bench = useBench()

test('without a terminal it exits with 2 and names pay find', async () => {
  const refused = await bench.runPay('desk --sandbox')
  expect(refused).toMatchObject({ exitCode: 2, requests: [], stderr: expect.stringContaining('pay find') })
})

test('opens on the account, what needs attention, and the newest payments', async () => {
  await storeProfile(bench, { mode: 'live' })
  const desk = atDesk(bench, 'desk', serviceOf())
  await desk.see('3 newest')
  await desk.see('nothing needs attention')
  expect(desk.terminal.screen()).toBe(
    [
      'LIVE shop · nothing needs attention · this machine only',
      '? Search:',
      '  ID            AMOUNT  STATUS        ORDER  CREATED',
      '> p1aaaaaaa  50.00 EUR  ✓ Settled     A-1    2026-03-01 11:58',
      '  p2bbbbbbb  50.00 EUR  ✓ Settled     A-2    2026-03-01 11:58',
      '  p3ccccccc  50.00 EUR  ✓ Authorized  A-3    2026-03-01 11:58',
      '3 newest · read 12:00',
      'Enter open  ^R read again  ^T attention  ^O wider  ^P profile  ^L done here  ? keys  Esc leave',
    ].join('\n'),
  )
  desk.type(KEYS.escape)
  expect(await desk.ended).toMatchObject({ exitCode: 0, stdout: '' })
  expect(desk.terminal.screen()).toBe('')
})

test('opens with a ledger that cannot be read, and says so', async () => {
  await storeProfile(bench)
  writeFileSync(ledgerPath(bench.stateFolder), 'no database'.repeat(1000))
  const desk = atDesk(bench, 'desk A-3', serviceOf())
  await desk.see('test shop · what needs attention could not be read · this machine only', '\u0014')
  await desk.see('The ledger is damaged and cannot be read', KEYS.escape)
  await desk.see('Esc clear', KEYS.enter)
  await desk.see('x  cancel')
  await desk.interrupt()
})

test("days count from the sandbox's clock", async () => {
  const make = (amount: string) =>
    bench.runPay(`--sandbox payment create --token tok_visa --amount '${amount}' --order-id A-1`)
  await make('49.90 EUR')
  await bench.runPay('sandbox clock advance 3d')
  await make('12.00 EUR')
  const desk = atDesk(bench, ['desk', '--sandbox', 'eur since yesterday'])
  await desk.see('1 found by the service (currency EUR, since ')
  await desk.see('12.00 EUR', KEYS.escape + KEYS.escape)
})

test('half of a payment is refunded by its order, and the whole command line stays', async () => {
  await storeProfile(bench)
  const desk = atDesk(bench, 'desk', serviceOf())
  await desk.see('3 newest', 'A-2')
  await desk.see('1 found by the service ("A-2")', KEYS.enter)
  await desk.see('r  refund up to 50.00 EUR', 'r')
  await desk.see('Amount', `25.00${KEYS.enter}`)
  await desk.see('Reason', KEYS.enter)
  await desk.see('Refund 25.00 EUR of payment p2bbbbbbb on test profile shop?', `y${KEYS.enter}`)
  await desk.see('y  print commands to copy')
  const left = await desk.interrupt()
  expect(left.exitCode).toBe(130)
  expect(writesIn(left)).toEqual(['{"amount":2500}'])
  expect(left.stderr).toContain('$ pay payment refund p2bbbbbbb --profile shop\n')
  expect(left.stderr).toContain('✓ Done: pay payment refund p2bbbbbbb --amount "25.00 EUR" --profile shop\n')
  expect(left.stderr).toContain('c1@example.com')
})

test('while a person types, only lists are asked; Enter reads payments in full, and opens the only match', async () => {
  await storeProfile(bench)
  const persons = [paymentOf('p1aaaaaaa', 'A-1'), paymentOf('p2bbbbbbb', 'A-2')].map((payment, at) => ({
    ...payment,
    customer: { emailAddress: `c${at}@example.com`, lastName: ['Moreau', 'Evans'][at] },
  }))
  const { service } = serviceOf()
  const asked: string[] = []
  const desk = atDesk(bench, 'desk', {
    service: (request) => {
      const id = /\/payments\/([^/?]+)/.exec(request.url)?.[1]
      if (id !== undefined) asked.push(id)
      const found = persons.find((payment) => payment.id === id)
      return found === undefined ? service(request) : jsonAnswer(200, found)
    },
  })
  await desk.see('nothing needs attention', 'evan')
  await desk.see('Nothing found ("evan")')
  expect(asked).toEqual([])
  await desk.see('Enter reads them in full.', KEYS.enter)
  await desk.see('payment p2bbbbbbb')
  expect(asked).toEqual(expect.arrayContaining(['p1aaaaaaa', 'p2bbbbbbb']))
  await desk.interrupt()
})

describe('it never sends anything by', () => {
  test('Enter held down through every screen', async () => {
    await storeProfile(bench)
    const desk = atDesk(bench, 'desk', serviceOf())
    await desk.see('3 newest')
    await desk.hold(KEYS.enter, 1_500)
    await desk.wait(400)
    await desk.hold(KEYS.enter, 1_500)
    expect(writesIn(await desk.interrupt())).toEqual([])
  })

  test.each([`25.00${KEYS.enter}y${KEYS.enter}`, `${KEYS.enter}${KEYS.enter}y${KEYS.enter}`, 'yyyy'])(
    'keys that were typed ahead of the question: %j',
    async (ahead) => {
      await storeProfile(bench)
      const desk = atDesk(bench, 'desk', serviceOf())
      await desk.see('3 newest', KEYS.enter)
      await desk.see('r  refund', `r${ahead}`)
      for (const key of ahead) {
        desk.terminal.type(key)
        await desk.wait(20)
      }
      await desk.see('Amount')
      expect(desk.terminal.screen()).not.toContain('25')
      expect(writesIn(await desk.interrupt())).toEqual([])
    },
  )

  test.each([0, 100, 299])('an Enter that comes %i ms after the question', async (ms) => {
    await storeProfile(bench)
    const desk = atDesk(bench, 'desk A-3', serviceOf())
    await desk.see('1 found by the service', KEYS.enter)
    await desk.see('x  cancel', 'x')
    await desk.see('(y/N)')
    desk.terminal.type('y')
    desk.clock.ms += ms
    desk.terminal.type(KEYS.enter)
    await desk.wait(50)
    expect(desk.terminal.screen()).toContain('(y/N) y')
    await desk.see('(y/N) y', KEYS.enter)
    await desk.see('y  print commands to copy')
    expect(writesIn(await desk.interrupt())).toHaveLength(1)
  })

  test('an answer that is not yes', async () => {
    await storeProfile(bench)
    const desk = atDesk(bench, 'desk A-3', serviceOf())
    await desk.see('1 found by the service', KEYS.enter)
    await desk.see('x  cancel', 'x')
    await desk.see('(y/N)', KEYS.enter)
    await desk.see('y  print commands to copy')
    const left = await desk.interrupt()
    expect(writesIn(left)).toEqual([])
    expect(left.stderr).toContain('✗ Not done (2): pay payment cancel p3ccccccc --profile shop\n')
  })
})

test('Enter opens the row that was drawn, even if it has moved since', async () => {
  await storeProfile(bench)
  const { listed, service } = serviceOf()
  const desk = atDesk(bench, 'desk', { service })
  await desk.see('> p1aaaaaaa')
  listed.unshift(paymentOf('p0newnewn', 'A-0'))
  desk.type(`\u0012${KEYS.enter}`)
  await desk.see('payment p1aaaaaaa')
  await desk.interrupt()
})

test('Ctrl-C ends an action, and nothing after it', async () => {
  await storeProfile(bench)
  const desk = atDesk(bench, 'desk A-3', serviceOf())
  await desk.see('1 found by the service', KEYS.enter)
  for (const [key, question] of [
    ['c', 'Amount'],
    ['x', '(y/N)'],
  ] as const) {
    await desk.see('y  print commands to copy', key)
    await desk.see(question, KEYS.ctrlC)
  }
  await desk.see('y  print commands to copy', 'x')
  const question = '? Cancel payment p3ccccccc on test profile shop? (y/N)'
  await desk.see(`${question}\n${question}`, `y${KEYS.enter}`)
  await desk.see('y  print commands to copy')
  const left = await desk.interrupt()
  expect(left.exitCode).toBe(130)
  expect(left.stderr.match(/Not done \(130\)/g)).toHaveLength(2)
  expect(writesIn(left)).toHaveLength(1)
})

test('an equal write is asked about first, and no flag that repeats it is named', async () => {
  await storeProfile(bench, { mode: 'live' })
  const { service } = serviceOf()
  await bench.runPay('payment refund p1aaaaaaa --amount 500 --yes', { service })
  const desk = atDesk(bench, 'desk A-1', { service })
  await desk.see('1 found by the service', KEYS.enter)
  await desk.see('r  refund', 'r')
  await desk.see('Amount', `5.00${KEYS.enter}`)
  await desk.see('Reason', KEYS.enter)
  await desk.see('The same write was done', KEYS.enter)
  await desk.see('y  print commands to copy')
  const left = await desk.interrupt()
  expect(writesIn(left)).toEqual([])
  expect(left.stderr).not.toContain('--again')
})

test("after 30 minutes without a key on a live profile, an action asks for the profile's name", async () => {
  await storeProfile(bench, { mode: 'live' })
  const desk = atDesk(bench, 'desk A-3', serviceOf())
  await desk.see('1 found by the service')
  bench.clock.now = new Date(bench.clock.now.getTime() + 30 * 60_000)
  desk.type(KEYS.enter)
  await desk.see('x  cancel')
  for (const typed of ['y', 'shop']) {
    desk.type('x')
    await desk.see('? Cancel payment p3ccccccc on LIVE profile shop? (type')
    desk.type(`${typed}${KEYS.enter}`)
    await desk.see('y  print commands to copy')
  }
  expect(writesIn(await desk.interrupt())).toHaveLength(1)
})

test('nothing is run if the profile has changed since the title was drawn', async () => {
  await storeProfile(bench)
  const desk = atDesk(bench, 'desk A-3', serviceOf())
  await desk.see('1 found by the service', KEYS.enter)
  await desk.see('x  cancel')
  await bench.runPay('profile set shop --live')
  desk.type('x')
  await desk.see('LIVE shop · payment p3ccccccc')
  const left = await desk.interrupt()
  expect(writesIn(left)).toEqual([])
  expect(left.stderr).toContain('The profile has changed: test shop')
})

describe('desk states', () => {
  beforeEach(async () => {
    await storeProfile(bench)
  })

  const [CTRL_L, CTRL_O, CTRL_P, CTRL_R, CTRL_T] = ['\u000c', '\u000f', '\u0010', '\u0012', '\u0014']

  describe('the list says', () => {
    test('how much was searched if nothing was found', async () => {
      const desk = atDesk(bench, 'desk order:B-9', serviceOf())
      await desk.see('Searched all 3 payments')
      await desk.see('Nothing found (order B-9)')
      await desk.interrupt()
    })

    test('that a service ignores a filter, and shows only what fits', async () => {
      const { listed } = serviceOf()
      const service = () => jsonAnswer(200, { data: listed })
      const desk = atDesk(bench, 'desk order:A-2', { service })
      await desk.see('The service ignored order_id: 3 payments were checked here')
      expect(desk.terminal.screen()).not.toContain('A-1')
      await desk.interrupt()
    })

    test.each([
      ['a 429', () => jsonAnswer(429, envelope('RateLimited'), { 'retry-after': '30' }), 'requests (429)'],
      [
        'no connection',
        () => {
          throw new TransportFailure('refused', false, 'connect ECONNREFUSED')
        },
        'Offline:',
      ],
      ['a server error', () => jsonAnswer(500, envelope('Oops')), '^R'],
    ] as const)('%s, and keeps the rows with their time', async (_, answer, words) => {
      let isBroken = false
      const { service } = serviceOf(undefined, () => (isBroken ? answer() : undefined))
      const desk = atDesk(bench, 'desk', { service })
      await desk.see('3 newest · read 12:00')
      isBroken = true
      desk.type(CTRL_R)
      await desk.see(words)
      await desk.see('3 newest · read 12:00')
      expect(desk.terminal.screen()).toContain('p1aaaaaaa')
      await desk.interrupt()
    })

    test('the words that no payment can fit, and asks nothing for them', async () => {
      const desk = atDesk(bench, ['desk', '4111111111111111'], serviceOf())
      await desk.see('ending in 1111')
      const { requests } = await desk.interrupt()
      expect(requests.filter(({ url }) => !url.includes('status='))).toEqual([])
    })
  })

  test('a refused key ends it with 4', async () => {
    const desk = atDesk(bench, 'desk', { service: () => jsonAnswer(401, envelope('Unauthorized')) })
    const ended = await desk.ended
    expect(ended.exitCode).toBe(4)
    expect(ended.stderr).toContain('pay profile set shop --api-key-stdin')
  })

  test('why a payment could not be read is never broken inside a word', async () => {
    let isBroken = false
    let refused = 0
    const { service } = serviceOf(undefined, () => {
      if (!isBroken) return undefined
      refused += 1
      throw new TransportFailure('refused', false, '127.0.0.1:443 refused the connection')
    })
    const desk = atDesk(bench, 'desk A-3 --max-retries 0', { service, columns: 60 })
    await desk.see('1 found by the service')
    await desk.see('nothing needs attention')
    isBroken = true
    desk.type(KEYS.enter)
    await expect.poll(() => refused).toBe(1)
    await desk.wait(200)
    expect((await desk.interrupt()).stderr).toContain(
      'Payment p3ccccccc could not be read. Nothing was sent:\n127.0.0.1:443 refused the connection\n',
    )
  })

  test('pay alone names the desk in its first lines, and opens no ledger that is not there', async () => {
    const help = await bench.runPay([], { withLedger: () => expect.unreachable() })
    expect(help.stdout.split('\n').slice(0, 3).join('\n')).toContain('pay desk')
  })

  test('attention lists what waits for the customer, recent declines, and refunds that failed later', async () => {
    const failed = {
      ...paymentOf('p7failedd', 'A-7'),
      transactions: [
        { transactionType: 'REFUND', processorStatus: 'FAILED', amount: 500, date: '2026-03-01T11:59:00' },
      ],
    }
    const { service } = serviceOf([
      failed,
      paymentOf('p4pending', 'A-4', 'PENDING'),
      paymentOf('p5decline', 'A-5', 'DECLINED'),
      { ...paymentOf('p6olddecl', 'A-6', 'DECLINED'), date: '2026-02-25T11:58:00.000000' },
    ])
    await bench.runPay('payment refund p7failedd --amount 500', { service })
    const desk = atDesk(bench, 'desk', { service })
    await desk.see('3 need attention')
    await desk.see('4 newest')
    // Its list row alone says that it is settled.
    expect(desk.terminal.screen()).toMatch(/✗ Refund failed.*A-7/)
    await desk.see('4 newest', CTRL_T)
    await desk.see('Ledger: this machine only')
    const rows = desk.terminal.screen()
    expect(rows).toMatch(/✗ refund failed +p7failedd +5\.00 EUR +A-7/)
    expect(rows).toMatch(/… awaits customer +p4pending/)
    expect(rows).toMatch(/✗ declined +p5decline/)
    expect(rows).not.toContain('p6olddecl')
    const { requests } = await desk.interrupt()
    // For the count in the title, and for the list.
    expect(requests.filter(({ url }) => url.includes('status='))).toHaveLength(4)
  })

  test('Ctrl-O looks further, Ctrl-L prints what was done here, Ctrl-P changes the profile', async () => {
    await storeProfile(bench, { name: 'other', mode: 'live' })
    const desk = atDesk(bench, 'desk order:A-1', serviceOf())
    await desk.see('1 found by the service', CTRL_O)
    await desk.see('Searched all 3 payments', CTRL_L)
    await desk.see('^O less wide', CTRL_P)
    await desk.see('> shop', KEYS.down)
    await desk.see('> other', KEYS.enter)
    await desk.see('LIVE other')
    const left = await desk.interrupt()
    expect(left.stderr).toContain('Done here\n  Nothing yet.')
  })

  test('idle, it draws nothing and asks nothing', async () => {
    const desk = atDesk(bench, 'desk', serviceOf())
    await desk.see('3 newest')
    await desk.see('nothing needs attention')
    const drawn = desk.terminal.raw().length
    await desk.wait(1_000)
    expect(desk.terminal.raw().length).toBe(drawn)
    expect((await desk.interrupt()).requests).toHaveLength(2)
  })

  test('a resize draws it once more, at the new width', async () => {
    const desk = atDesk(bench, 'desk', serviceOf())
    await desk.see('3 newest')
    Object.assign(desk.terminal.streams.output, { columns: 44 })
    desk.terminal.streams.output.emit('resize')
    await desk.see('3 newest')
    const lines = desk.terminal.screen().split('\n')
    expect(lines.filter((line) => line.startsWith('? Search:'))).toHaveLength(1)
    expect(lines.filter((line) => line.length > 44)).toEqual([])
    await desk.interrupt()
  })

  test('on a plain terminal, numbered lists in the same words are only ever added to', async () => {
    const desk = atDesk(bench, 'desk', { ...serviceOf(), isPlain: true })
    await desk.see('? Search: (#1 for the first')
    expect(desk.terminal.screen()).toContain(' #2  p2bbbbbbb  50.00 EUR')
    desk.type('A-2\n')
    await desk.see('1 found by the service', '#1\n')
    await desk.see('#1  r  refund up to 50.00 EUR', 'r\n')
    await desk.see('? Amount', '25.00\n')
    await desk.see('? Reason', '\n')
    await desk.see('test profile shop? y/N', 'y\n')
    const ended = await desk.pressUntilItEnds('\n')
    expect(ended.exitCode).toBe(0)
    expect(writesIn(ended)).toEqual(['{"amount":2500}'])
    expect(desk.terminal.raw()).not.toContain('\u001b')
  })
})

describe('doubts', () => {
  beforeEach(async () => {
    await storeProfile(bench)
  })

  /** A service whose responses to writes are lost. */
  function losingWrites(isLost: () => boolean) {
    const { service } = serviceOf(undefined, ({ method }) => {
      if (method === 'GET' || !isLost()) return undefined
      throw new TransportFailure('cut', true, 'socket hang up')
    })
    return service
  }

  const [CTRL_P, CTRL_T] = ['\u0010', '\u0014']

  test('a lost response is in doubt: first in the menu, on top of attention, and exit 10 until it is resolved', async () => {
    let isLost = true
    const service = losingWrites(() => isLost)
    const desk = atDesk(bench, 'desk A-3 --max-retries 0', { service })
    await desk.see('1 found by the service', KEYS.enter)
    await desk.see('x  cancel', 'x')
    await desk.see('(y/N)', `y${KEYS.enter}`)
    await desk.see('> s  resolve payment.cancel, which is in doubt')
    expect(desk.terminal.screen()).toContain('c  capture – find the outcome of the write above first')
    desk.type(KEYS.escape)
    await desk.see('test shop · 1 needs attention', CTRL_T)
    await desk.see('> ? IN DOUBT cancel')
    expect(desk.terminal.screen()).toMatch(/IN DOUBT cancel .* A-3 /)
    desk.type(KEYS.ctrlC)
    const left = await desk.ended
    expect(left.exitCode).toBe(10)
    expect(left.stderr).toContain('payment.cancel on p3ccccccc is still in doubt')
    expect(left.stderr).not.toContain('try again')
    const help = await bench.runPay([])
    expect(help.stdout).toMatch(/^1 write of this machine is in doubt: pay desk/)

    isLost = false
    const again = atDesk(bench, 'desk', { service })
    await again.see('1 needs attention', CTRL_T)
    await again.see('> ? IN DOUBT cancel', KEYS.enter)
    await again.see('> s  resolve', KEYS.enter)
    await again.see('(y/N)', `y${KEYS.enter}`)
    await again.see('x  cancel', KEYS.escape)
    await again.see('nothing needs attention', KEYS.escape)
    await again.see('Esc leave', KEYS.escape)
    const ended = await again.ended
    expect(ended.exitCode).toBe(0)
    expect(writesIn(ended)).toHaveLength(1)
  })

  test('a write that could not be resolved here is in doubt at the end, and others are left alone', async () => {
    let isLost = true
    const service = losingWrites(() => isLost)
    await bench.runPay('payment cancel p3ccccccc --yes --max-retries 0', { service })
    const left = await atDesk(bench, 'desk', { service }).interrupt()
    expect(left.exitCode).toBe(130)
    expect(left.stderr).toContain('Nothing you did here is in doubt')

    const desk = atDesk(bench, 'desk p3ccccccc --max-retries 0', { service })
    await desk.see('1 found by', KEYS.enter)
    await desk.see('> s  resolve', 's')
    await desk.see('(y/N)', `y${KEYS.enter}`)
    await desk.see('Yes\ntest shop')
    isLost = false
    const ended = await desk.interrupt()
    expect(ended.exitCode).toBe(10)
    expect(ended.stderr).toContain('payment.cancel on p3ccccccc is still in doubt')
  })

  test('a doubt is not forgotten with another profile', async () => {
    await storeProfile(bench, { name: 'other' })
    const service = losingWrites(() => true)
    const desk = atDesk(bench, 'desk A-3 --profile shop --max-retries 0', { service })
    await desk.see('1 found by the service', KEYS.enter)
    await desk.see('x  cancel', 'x')
    await desk.see('(y/N)', `y${KEYS.enter}`)
    await desk.see('> s  resolve', KEYS.escape)
    await desk.see('1 needs attention', CTRL_P)
    await desk.see('> shop', KEYS.down)
    await desk.see('> other', KEYS.enter)
    await desk.see('test other', KEYS.ctrlC)
    expect((await desk.ended).exitCode).toBe(10)
  })
})
