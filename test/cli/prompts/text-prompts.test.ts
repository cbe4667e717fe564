import { expect, test } from 'vitest'
import { KEYS } from '../../support/prompt-terminal.ts'
import { start } from './start-prompts.ts'

test('an amount is read back while it is typed and after it is entered', async () => {
  const terminal = start()
  const answer = terminal.prompts.text({
    label: 'Amount',
    interpret: (text) => (text === '12.50 EUR' ? '12.50 EUR = 1250' : undefined),
    check: (text) => (text === '' ? 'Nothing was typed' : undefined),
  })
  await terminal.typeAndLook(KEYS.enter)
  expect(terminal.screen()).toBe('? Amount:\n\n! Nothing was typed')
  await terminal.typeAndLook('12.50 EUR')
  expect(terminal.screen()).toBe('? Amount:  12.50 EUR = 1250\n  12.50 EUR')
  terminal.type(KEYS.enter)
  expect(await answer).toBe('12.50 EUR')
  expect(terminal.screen()).toBe('✓ Amount: 12.50 EUR  12.50 EUR = 1250')
})

test('the interpretation of an amount is never broken', async () => {
  const terminal = start(30)
  const answer = terminal.prompts.text({
    label: 'Amount',
    interpret: (text) => (text === '12.50 EUR' ? '12.50 EUR = 1250' : undefined),
  })
  await terminal.typeAndLook('12.50 EUR')
  expect(terminal.screen()).toBe('? Amount:  12.50 EUR = 1250\n  12.50 EUR')
  terminal.type(KEYS.enter)
  expect(await answer).toBe('12.50 EUR')
  expect(
    terminal
      .screen()
      .split('\n')
      .map((line) => line.trimEnd()),
  ).toStrictEqual(['✓ Amount: 12.50 EUR', '  12.50 EUR = 1250'])
})

test('a secret shows only its length', async () => {
  const terminal = start()
  const answer = terminal.prompts.secret({ label: 'API key' })
  terminal.type(`key-0123${KEYS.enter}`)
  expect(await answer).toBe('key-0123')
  expect(terminal.raw()).not.toContain('key-0123')
  expect(terminal.screen()).toBe('✓ API key: ********')
})

test.each([80, 60])('a long question is never broken inside a word, at %i columns', async (columns) => {
  const terminal = start(columns)
  const sentence =
    'The same write was done less than a minute ago by tester (a refund of 5.00 EUR on payment D5FHPQXUw). Refund 5.00 EUR of payment D5FHPQXUw on LIVE profile shop again?'
  const answer = terminal.prompts.confirm({ sentence })
  await terminal.see('(y/N)')
  const lines = terminal.screen().split('\n')
  expect(lines.map((line) => line.replace(/^[? ] /, '')).join(' ')).toBe(`${sentence} (y/N)`)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns)
  await terminal.press(`n${KEYS.enter}`)
  expect(await answer).toBe(false)
})

test('an error message is never broken inside a word', async () => {
  const terminal = start(40)
  const problem = '5 would be 0.05 EUR. Type 5.00 for 5.00 EUR, or 0.05 for 0.05 EUR.'
  const answer = terminal.prompts.text({
    label: 'Amount',
    check: (typed) => (typed === '5' ? problem : undefined),
  })
  terminal.type(`5${KEYS.enter}`)
  await new Promise((shown) => setImmediate(shown))
  expect(terminal.screen()).toBe(
    ['? Amount: 5', '! 5 would be 0.05 EUR. Type 5.00 for', '  5.00 EUR, or 0.05 for 0.05 EUR.'].join('\n'),
  )
  terminal.type(`0${KEYS.enter}`)
  expect(await answer).toBe('50')
})
