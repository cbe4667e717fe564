import { expect, test } from 'vitest'
import { createPrompts } from '../../../src/cli/prompts/prompts.ts'
import type { ChoiceQuestion } from '../../../src/cli/command/prompts-port.ts'
import { plainPaint } from '../../../src/output/paint.ts'
import { KEYS, createPromptTerminal } from '../../support/prompt-terminal.ts'

const PAYMENTS: ChoiceQuestion = {
  label: 'Payment ID',
  heading: 'ID         AMOUNT     STATUS     ORDER',
  choices: [
    { value: 'p1aaaaaaa', text: 'p1aaaaaaa  12.50 EUR  ✓ SETTLED  ORD-77', aliases: ['ORD-77'] },
    { value: 'p2bbbbbbb', text: 'p2bbbbbbb   5.00 EUR  ✓ SETTLED  ORD-78', keywords: 'Anna' },
    { value: 'p3ccccccc', text: 'p3ccccccc   9.99 USD  ✗ DECLINED ORD-79' },
  ],
  freeText: { what: 'another id' },
}

function start(columns?: number) {
  const terminal = createPromptTerminal(columns === undefined ? {} : { columns })
  return { ...terminal, prompts: createPrompts(terminal.streams, terminal.stop.signal, plainPaint, () => 0) }
}

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
  terminal.type(key)
  await expect(answer).rejects.toMatchObject({ code: 'interrupted', exitCode: 130 })
})
