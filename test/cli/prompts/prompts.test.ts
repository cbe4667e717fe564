import { expect, test } from 'vitest'
import { createPrompts } from '../../../src/cli/prompts/prompts.ts'
import type { ChoiceQuestion } from '../../../src/cli/command/prompts-port.ts'
import { wordsPaint } from '../../../src/output/paint.ts'
import { KEYS, createPromptTerminal } from '../../support/prompt-terminal.ts'
import { start } from './start-prompts.ts'

const PAYMENTS: ChoiceQuestion = {
  label: 'Payment ID',
  heading: 'ID         AMOUNT     STATUS     ORDER',
  choices: [
    { value: 'p1aaaaaaa', text: 'p1aaaaaaa  12.50 EUR  ✓ Settled  ORD-77', aliases: ['ORD-77'] },
    { value: 'p2bbbbbbb', text: 'p2bbbbbbb   5.00 EUR  ✓ Settled  ORD-78', keywords: 'Anna' },
    { value: 'p3ccccccc', text: 'p3ccccccc   9.99 USD  ✗ Declined ORD-79' },
  ],
  freeText: { what: 'another id' },
}

test('shows the choices, and that another value can be typed', async () => {
  const terminal = start()
  const answer = terminal.prompts.choose(PAYMENTS)
  await terminal.typeAndLook('')
  expect(terminal.screen()).toBe(
    [
      '? Payment ID:',
      '  ID         AMOUNT     STATUS     ORDER',
      '> p1aaaaaaa  12.50 EUR  ✓ Settled  ORD-77',
      '  p2bbbbbbb   5.00 EUR  ✓ Settled  ORD-78',
      '  p3ccccccc   9.99 USD  ✗ Declined ORD-79',
      '',
      'Arrow keys choose, type to search or to enter another id, Esc cancels',
    ].join('\n'),
  )
  terminal.type(KEYS.down + KEYS.enter)
  expect(await answer).toBe('p2bbbbbbb')
  expect(terminal.screen()).toBe('✓ Payment ID: p2bbbbbbb   5.00 EUR  ✓ Settled  ORD-78')
})

test.each([
  ['part of a column', 'ord-79', 'p3ccccccc'],
  ['words in any order', 'usd declined', 'p3ccccccc'],
  ['hidden words', 'anna', 'p2bbbbbbb'],
])('finds a row by %s but selects it only with the arrow keys', async (_, typed, found) => {
  const terminal = start()
  const answer = terminal.prompts.choose(PAYMENTS)
  await terminal.typeAndLook(typed)
  expect(terminal.screen()).toMatch(new RegExp(`^> ${typed}\n  ID .*\n  ${found}`, 'm'))
  expect(terminal.screen()).toContain(`\nEnter takes "${typed}"\n`)
  await terminal.typeAndLook(KEYS.down, KEYS.enter)
  expect(await answer).toBe(found)
})

test.each(['12.50', 'p2', 'settled', 'ord-79'])(
  'Enter takes no payment that merely contains %s',
  async (typed) => {
    const terminal = start()
    const answer = terminal.prompts.choose(PAYMENTS)
    await terminal.typeAndLook(typed, KEYS.enter)
    expect(await answer).toBe(typed)
  },
)

test('Enter pasted together with words waits for their matches', async () => {
  const terminal = start()
  const answer = terminal.prompts.choose(PAYMENTS)
  await terminal.typeAndLook(`ORD-77${KEYS.enter}`)
  expect(terminal.screen()).toContain('> p1aaaaaaa')
  terminal.type(KEYS.enter)
  expect(await answer).toBe('p1aaaaaaa')
})

test.each([
  ['the first match if no other value may be typed', 'usd', 'p3ccccccc', undefined],
  ['a complete id', 'p1aaaaaaa', 'p1aaaaaaa', PAYMENTS.freeText],
  ['a complete order id', 'ORD-77', 'p1aaaaaaa', PAYMENTS.freeText],
])('takes %s', async (_, entered, found, freeText) => {
  const terminal = start()
  const answer = terminal.prompts.choose({ ...PAYMENTS, freeText })
  await terminal.typeAndLook(entered, KEYS.enter)
  expect(await answer).toBe(found)
})

const ORDERS: ChoiceQuestion = {
  label: 'Payment ID',
  choices: [
    { value: 'p1', text: 'p1  B-12', aliases: ['B-12'] },
    { value: 'p2', text: 'p2  B-1', aliases: ['B-1'] },
    { value: 'p3', text: 'p3  B-3', aliases: ['B-3'] },
    { value: 'p4', text: 'p4  B-3', aliases: ['B-3'] },
  ],
}

test.each([undefined, { what: 'another id' }])(
  'an order id selects its own payment, not a newer one with the same beginning',
  async (freeText) => {
    const terminal = start()
    const answer = terminal.prompts.choose({ ...ORDERS, freeText })
    await terminal.typeAndLook('B-1')
    expect(terminal.screen()).toContain('> p2  B-1\n  p1  B-12\n')
    terminal.type(KEYS.enter)
    expect(await answer).toBe('p2')
  },
)

test.each(['b-1', 'B-3'])('Enter takes none of several matches of %s', async (typed) => {
  const terminal = start()
  const answer = terminal.prompts.choose({ ...ORDERS, freeText: { what: 'another id' } })
  await terminal.typeAndLook(typed, KEYS.enter)
  expect(await answer).toBe(typed)
})

test('takes an id that is not among the choices', async () => {
  const terminal = start()
  const answer = terminal.prompts.choose(PAYMENTS)
  await terminal.typeAndLook('xyz987')
  expect(terminal.screen()).toContain('\n> xyz987\n')
  expect(terminal.screen()).not.toContain('AMOUNT')
  terminal.type(KEYS.enter)
  expect(await answer).toBe('xyz987')
})

test.each([80, 30])('Tab completes to the row, and Enter takes it, at %i columns', async (columns) => {
  const terminal = start(columns)
  const answer = terminal.prompts.choose(PAYMENTS)
  await terminal.typeAndLook('ord-79', KEYS.down, '\t', KEYS.enter)
  expect(await answer).toBe('p3ccccccc')
})

test('refuses a value that is not a choice if no other may be typed', async () => {
  const terminal = start()
  const answer = terminal.prompts.choose({ label: 'Outcome', choices: [{ value: 'pass', text: 'pass' }] })
  await terminal.typeAndLook('nothing', KEYS.enter)
  expect(terminal.screen()).toContain('! No results found')
  await terminal.typeAndLook(KEYS.backspace.repeat(7), KEYS.enter)
  expect(await answer).toBe('pass')
})

test('breaks no line at 60 columns', async () => {
  const terminal = start(60)
  const choices = Array.from({ length: 30 }, (_, at) => ({
    value: `p${at}`,
    text: `p${at}  ${'a very long order number '.repeat(5)}`,
  }))
  const answer = terminal.prompts.choose({ label: 'Payment ID', choices })
  await terminal.typeAndLook('')
  const lines = terminal.screen().split('\n')
  expect(lines).toHaveLength(12)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(60)
  terminal.type(`${KEYS.down.repeat(20)}${KEYS.enter}`)
  expect(await answer).toBe('p20')
})

test('shows the chosen row on one line with its complete id', async () => {
  const terminal = start(60)
  const answer = terminal.prompts.choose({
    label: 'Payment ID',
    choices: [{ value: 'p1aaaaaaa', text: `p1aaaaaaa  ${'and so on '.repeat(9)}` }],
  })
  await terminal.typeAndLook('', KEYS.enter)
  await answer
  expect(terminal.screen()).toBe('✓ Payment ID: p1aaaaaaa  and so on and so on and so on and…')
})

test('marks the choice that Enter takes with a character, not only with a colour', async () => {
  const terminal = createPromptTerminal()
  const prompts = createPrompts(terminal.streams, terminal.stop.signal, wordsPaint, () => 0, {
    isGuarded: false,
  })
  const answer = prompts.choose(PAYMENTS)
  await terminal.typeAndLook('', KEYS.down)
  expect(terminal.screen()).toContain('accent(> p2bbbbbbb')
  terminal.type(KEYS.enter)
  await answer
})

test('text from the service cannot control the terminal', async () => {
  const terminal = start()
  const answer = terminal.prompts.choose({
    label: 'Payment ID',
    heading: 'ID \u001b[2J',
    choices: [{ value: 'p1', text: 'p1  \u001b[2Jgone\u202E' }],
  })
  await terminal.typeAndLook('')
  expect(terminal.screen()).toContain('p1  \\u001b[2Jgone\\u202e')
  expect(terminal.screen()).toContain('ID \\u001b[2J')
  terminal.type(KEYS.enter)
  expect(await answer).toBe('p1')
})

test.each([
  ['', false],
  ['n', false],
  ['y', true],
])('a confirmation answered with %j and Enter is %s', async (typed, isYes) => {
  const terminal = start()
  const answer = terminal.prompts.confirm({ sentence: 'Refund 5.00 EUR on LIVE profile shop?' })
  await terminal.see('(y/N)')
  expect(terminal.screen()).toBe('? Refund 5.00 EUR on LIVE profile shop? (y/N)')
  await terminal.press(typed + KEYS.enter)
  expect(await answer).toBe(isYes)
})

test('the prompt library adds no colours', async () => {
  const terminal = start()
  const answer = terminal.prompts.confirm({ sentence: 'Sure?' })
  await terminal.see('(y/N)')
  await terminal.press(`x${KEYS.enter}${KEYS.backspace}y${KEYS.enter}`)
  await answer
  const other = start()
  const secret = other.prompts.secret({
    label: 'Key',
    check: (text) => (text === 'a' ? 'Too short' : undefined),
  })
  other.type(`a${KEYS.enter}`)
  await new Promise((resolve) => setImmediate(resolve))
  expect(other.screen()).toContain('! Too short')
  other.type(`b${KEYS.enter}`)
  await secret
  expect(terminal.raw() + other.raw()).not.toMatch(/\u001b\[\d*m/)
})

test('a signal ends a question as Ctrl-C does, with its own exit code', async () => {
  const terminal = start()
  const answer = terminal.prompts.choose(PAYMENTS)
  terminal.stop.abort('SIGTERM')
  await expect(answer).rejects.toMatchObject({ code: 'interrupted', exitCode: 143 })
})

test.each([
  ['text', KEYS.ctrlC],
  ['secret', KEYS.ctrlC],
  ['choose', KEYS.ctrlC],
  ['choose', KEYS.escape],
  ['confirm', KEYS.ctrlC],
  ['confirm', KEYS.escape],
] as const)('%s ends on %j with exit code 130', async (kind, key) => {
  const terminal = start()
  const { prompts } = terminal
  const answer = {
    text: () => prompts.text({ label: 'Amount' }),
    secret: () => prompts.secret({ label: 'Key' }),
    choose: () => prompts.choose(PAYMENTS),
    confirm: () => prompts.confirm({ sentence: 'Sure?' }),
  }[kind]()
  answer.catch(() => undefined)
  if (kind === 'confirm') await terminal.see('(y/N)')
  terminal.type(key)
  await expect(answer).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 })
})
