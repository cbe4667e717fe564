import { describe, expect, test } from 'vitest'
import type { ChoiceQuestion } from '../../../src/cli/command/prompts-port.ts'
import { createPlainPrompts } from '../../../src/cli/prompts/plain-prompts.ts'
import { KEYS, createPromptTerminal } from '../../support/prompt-terminal.ts'
import { start } from './start-prompts.ts'

const LISTED: ChoiceQuestion = {
  label: 'Payment ID',
  choices: [{ value: 'p1', text: 'p1  listed' }],
  freeText: { what: 'another id' },
}

describe('a search beyond the listed choices', () => {
  const found = (...values: readonly string[]) => ({
    heading: 'ID',
    choices: values.map((value) => ({ value, text: `${value}  found` })),
    note: `${values.length} found by the service`,
  })
  const searched: string[] = []
  const searching = (values: readonly string[]): ChoiceQuestion => ({
    ...LISTED,
    search: async (text) => {
      searched.push(text)
      return found(...values)
    },
  })

  test('shows what it finds, and how; Enter takes the only match and never what is typed', async () => {
    const terminal = start()
    const answer = terminal.prompts.choose(searching(['p9']))
    await terminal.typeAndLook('49.90')
    await expect
      .poll(() => terminal.screen())
      .toContain('? Payment ID: 49.90\n  ID\n> p9  found\n  1 found by the service\n')
    expect(searched.splice(0)).toEqual(['49.90'])
    terminal.type(KEYS.enter)
    expect(await answer).toBe('p9')
  })

  test('Enter before it has ended takes nothing', async () => {
    const terminal = start()
    const answer = terminal.prompts.choose(searching(['p8', 'p9']))
    await terminal.typeAndLook('49.90', KEYS.enter)
    await expect.poll(() => terminal.screen()).toContain('> p8  found\n  p9  found\n  2 found by the service')
    await terminal.typeAndLook(KEYS.down, KEYS.enter)
    expect(await answer).toBe('p9')
  })

  test('what is typed is taken if nothing is found', async () => {
    const terminal = start()
    const answer = terminal.prompts.choose(searching([]))
    await terminal.typeAndLook('x1')
    await expect.poll(() => terminal.screen()).toContain('> x1\n  0 found by the service')
    terminal.type(KEYS.enter)
    expect(await answer).toBe('x1')
  })

  test('an exact match comes first', async () => {
    const terminal = start()
    const answer = terminal.prompts.choose(searching(['p10', 'p1']))
    await terminal.typeAndLook('p1')
    await expect.poll(() => terminal.screen()).toContain('> p1  found\n  p10  found')
    terminal.type(KEYS.enter)
    expect(await answer).toBe('p1')
  })

  test.each([
    ['takes the only match', ['p9'], ['49.90\n'], 'p9'],
    ['lists several', ['p8', 'p9'], ['49.90\n', '#2\n'], 'p9'],
    ['takes what is typed if nothing is found', [], ['x1\n'], 'x1'],
  ])('without moving the cursor %s', async (_, values, lines, taken) => {
    const waiting = [...lines]
    const terminal = createPromptTerminal({
      onWrite: (text) => {
        if (text.endsWith(': ')) setImmediate(() => terminal.type(waiting.shift() ?? ''))
      },
    })
    const prompts = createPlainPrompts(terminal.streams, terminal.stop.signal, () => 0, { isGuarded: false })
    expect(await prompts.choose(searching(values))).toBe(taken)
    expect(terminal.raw()).toContain(`${values.length} found by the service`)
  })
})
