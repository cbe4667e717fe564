import { expect, test } from 'vitest'
import { createPlainPrompts } from '../../../src/cli/prompts/plain-prompts.ts'
import { createPromptTerminal } from '../../support/prompt-terminal.ts'

/** Types one line per question, as a person does, after the question is on the screen. */
function start(...answers: readonly string[]) {
  const waiting = [...answers]
  const terminal = createPromptTerminal({
    onWrite: (text) => {
      if (text.endsWith(': ')) setImmediate(() => void terminal.press(waiting.shift() ?? ''))
    },
  })
  return {
    ...terminal,
    prompts: createPlainPrompts(terminal.streams, terminal.stop.signal, () => terminal.clock.ms, {
      isGuarded: false,
    }),
  }
}

const OUTCOMES = {
  label: 'Payment ID',
  heading: 'ID  ORDER',
  choices: [
    { value: 'p1', text: 'p1  ORD-77', aliases: ['ORD-77'] },
    { value: 'p2', text: 'p2  ORD-78', aliases: ['ORD-78'] },
  ],
}
const PAYMENTS = { ...OUTCOMES, freeText: { what: 'another id' } }

test('a choice is a numbered list, and the cursor never moves', async () => {
  const terminal = start('#2\n')
  expect(await terminal.prompts.choose(PAYMENTS)).toBe('p2')
  expect(terminal.raw()).toBe(
    '     ID  ORDER\n #1  p1  ORD-77\n #2  p2  ORD-78\n? Payment ID (#1 for the first, words to search, or another id):   p2  ORD-78\n',
  )
})

test.each([
  ['the id itself', ['p1\n'], 'p1'],
  ['another id', ['xyz\n'], 'xyz'],
  ['a complete order id', ['ORD-78\n'], 'p2'],
  ['words and the number of a match', ['ord-\n', '#2\n'], 'p2'],
])('takes %s', async (_, answers, taken) => {
  expect(await start(...answers).prompts.choose(PAYMENTS)).toBe(taken)
})

test('asks again after an answer that is not a choice', async () => {
  const terminal = start('xyz\n', '\n', '#3\n', '#1\n')
  expect(await terminal.prompts.choose(OUTCOMES)).toBe('p1')
  expect(terminal.raw().match(/! No choice matches/g)).toHaveLength(3)
})

test.each([
  ['that ids of payments contain', ['77\n', '#2\n'], '77'],
  ['that is also the number of a row', ['2\n', '#2\n'], '2'],
])('an id %s may be typed instead of a choice', async (_, answers, taken) => {
  const terminal = start(...answers)
  expect(await terminal.prompts.choose(PAYMENTS)).toBe(taken)
  expect(terminal.raw()).toContain(` #2  use "${taken}"\n`)
})

test('a unique order id selects its payment, which is printed', async () => {
  const terminal = start('ORD-78\n')
  await terminal.prompts.choose(PAYMENTS)
  expect(terminal.raw()).toMatch(/: {3}p2 {2}ORD-78\n$/)
})

const NUMBERED = {
  label: 'Payment ID',
  choices: [
    { value: 'pa', text: 'pa  2', aliases: ['2'] },
    { value: 'pb', text: 'pb  77', aliases: ['77'] },
    { value: 'pc', text: 'pc  #1', aliases: ['#1'] },
  ],
  freeText: { what: 'another id' },
}

test('#1 is the first row, even if an order has that name', async () => {
  const terminal = start('#1\n')
  expect(await terminal.prompts.choose(NUMBERED)).toBe('pa')
  expect(terminal.raw()).toMatch(/: {3}pa {2}2\n$/)
})

test('a number without # is an order or an id, not a row', async () => {
  expect(await start('2\n').prompts.choose(NUMBERED)).toBe('pa')
})

test('a number that is an order selects that order', async () => {
  expect(await start('77\n').prompts.choose(NUMBERED)).toBe('pb')
})

test('an invalid answer is asked for again, and a valid one is read back', async () => {
  const terminal = start('x\n', '12.50 EUR\n')
  const answer = await terminal.prompts.text({
    label: 'Amount',
    check: (text) => (text === 'x' ? 'That is no amount' : undefined),
    interpret: () => '12.50 EUR = 1250',
  })
  expect(answer).toBe('12.50 EUR')
  expect(terminal.raw()).toBe('? Amount: ! That is no amount\n? Amount:   12.50 EUR = 1250\n')
})

test.each([
  ['\n', false],
  ['no\n', false],
  ['y\n', true],
  ['YES\n', true],
])('a confirmation answered with %j is %s', async (typed, isYes) => {
  expect(await start(typed).prompts.confirm({ sentence: 'Refund on LIVE profile shop?' })).toBe(isYes)
})

test('a confirmation accepts nothing but yes and no', async () => {
  const terminal = start('sure\n', 'y\n')
  expect(await terminal.prompts.confirm({ sentence: 'Sure?' })).toBe(true)
  expect(terminal.raw()).toContain('! Answer y or n')
})

test('the end of the input ends the question', async () => {
  const terminal = start()
  const answer = terminal.prompts.text({ label: 'Amount' })
  terminal.streams.input.end()
  await expect(answer).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 })
})

test('a signal ends the question', async () => {
  const terminal = start()
  const answer = terminal.prompts.choose(PAYMENTS)
  terminal.stop.abort('SIGTERM')
  await expect(answer).rejects.toMatchObject({ code: 'interrupted', exitCode: 143 })
})

/** A keyboard whose echo the program can turn off. */
function startRaw(...answers: readonly string[]) {
  const terminal = start(...answers)
  const modes: boolean[] = []
  Object.assign(terminal.streams.input, { setRawMode: (isRaw: boolean) => void modes.push(isRaw) })
  return { ...terminal, modes }
}

test('a secret is not shown while it is typed and corrected', async () => {
  const terminal = startRaw('key-0x\u007f123\r')
  expect(await terminal.prompts.secret({ label: 'API key' })).toBe('key-0123')
  expect(terminal.raw()).toBe('? API key: \n')
  expect(terminal.modes).toEqual([true, false])
})

test.each(['\u0003', '\u0004', '\u001b'])(
  '%j ends the question for a secret, and the echo is back on',
  async (key) => {
    const terminal = startRaw(`abc${key}`)
    await expect(terminal.prompts.secret({ label: 'API key' })).rejects.toMatchObject({ exitCode: 130 })
    expect(terminal.modes).toEqual([true, false])
  },
)

test('neither a question nor what is wrong with an answer is broken inside a word', async () => {
  const problem =
    '1 would be 0.01 GBP. Type 1.00 for 1.00 GBP, or 0.01 for 0.01 GBP. Nothing was sent to the service.'
  const terminal = start('1\n', '2\n')
  const answer = terminal.prompts.text({
    label: 'Amount',
    hint: 'empty for all that is left to refund of this payment, which is 1234567.89 GBP',
    check: (typed) => (typed === '1' ? problem : undefined),
  })
  expect(await answer).toBe('2')
  expect(terminal.raw()).toContain('of this payment, which is\n1234567.89 GBP): ')
  expect(terminal.raw()).toContain('0.01 GBP. Nothing was\nsent to the service.\n')
})

test('a screen is numbered lines, none of which breaks inside a word', async () => {
  const terminal = createPromptTerminal({
    columns: 40,
    onWrite: (text) => {
      if (text.endsWith(': ')) setImmediate(() => void terminal.press('#1\n'))
    },
  })
  const prompts = createPlainPrompts(terminal.streams, terminal.stop.signal, () => 0, { isGuarded: false })
  const widths: number[] = []
  const answer = await prompts.show<string, string>({
    start: '',
    press: (_, { name }) => ({ answer: name }),
    picture: (_, columns) => {
      widths.push(columns)
      return {
        title: 'LIVE shop · 5 need attention · this machine only',
        chosen: 0,
        rows: [{ text: 'r  refund – nothing is captured yet; cancel the payment instead' }],
        status: ['200 payments were not read in full, for e-mails and names'],
        keys: [
          { name: 'r', words: 'read again' },
          { name: 'escape', words: 'leave' },
        ],
      }
    },
  })
  expect(answer).toBe('return')
  expect(widths).toEqual([34])
  expect(terminal.raw().split('\n').slice(0, -1)).toEqual([
    'LIVE shop · 5 need attention · this',
    'machine only',
    ' #1  r  refund – nothing is captured',
    '     yet; cancel the payment instead',
    '200 payments were not read in full, for',
    'e-mails and names',
    '? Choose (#1 for the first, r read',
  ])
})

test('what is said of an interruption begins on a line of its own', async () => {
  const terminal = createPromptTerminal({ onWrite: (text) => text.endsWith(': ') && terminal.stop.abort() })
  const prompts = createPlainPrompts(terminal.streams, terminal.stop.signal, () => 0, { isGuarded: false })
  await expect(prompts.text({ label: 'Reason' })).rejects.toThrow()
  expect(terminal.raw()).toBe('? Reason: \n')
})
