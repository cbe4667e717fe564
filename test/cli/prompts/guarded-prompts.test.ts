import { describe, expect, test } from 'vitest'
import { createKeyFilter } from '../../../src/cli/prompts/fresh-keys.ts'
import { createPlainPrompts } from '../../../src/cli/prompts/plain-prompts.ts'
import { createPrompts } from '../../../src/cli/prompts/prompts.ts'
import { plainPaint } from '../../../src/output/paint.ts'
import { KEYS, createPromptTerminal } from '../../support/prompt-terminal.ts'

/** The prompts of a command that moves money. */
function start(isPlain: boolean) {
  const terminal = createPromptTerminal()
  const { streams, stop, clock } = terminal
  const modes: boolean[] = []
  Object.assign(streams.input, { setRawMode: (isRaw: boolean) => void modes.push(isRaw) })
  const guard = { isGuarded: true }
  const prompts = isPlain
    ? createPlainPrompts(streams, stop.signal, () => clock.ms, guard)
    : createPrompts(streams, stop.signal, plainPaint, () => clock.ms, guard)
  return { ...terminal, prompts, modes }
}

const [PASTE, PASTE_END] = ['\u001B[200~', '\u001B[201~']
const KINDS = [
  ['in place', false],
  ['in lines', true],
] as const

describe.each(KINDS)('drawn %s', (_, isPlain) => {
  test.each([
    ['keys and Enter', ['12.00\r', '\r', 'y\r']],
    ['a line that the terminal held', ['y\n']],
    ['half of an arrow key', ['\u001B', '\u001B[']],
    ['half of a paste', [`${PASTE}12.0`]],
    ['half of a character', [Buffer.from('€').subarray(0, 1)]],
    ['an Escape', [KEYS.escape]],
  ])('%s that came before it is thrown away whole', async (what, ahead) => {
    const terminal = start(isPlain)
    for (const keys of ahead) terminal.streams.input.write(keys)
    const answer = terminal.prompts.text({ label: 'Amount' })
    await terminal.see('Amount')
    if (what === 'half of an arrow key') terminal.type('1;5A')
    if (what === 'half of a paste') terminal.type(`0\r${PASTE_END}`)
    if (what === 'half of a character') terminal.streams.input.write(Buffer.from('€').subarray(1))
    await terminal.press(`3.00${KEYS.enter}`)
    expect(await answer).toBe('3.00')
  })

  test('nothing is drawn while keys come', async () => {
    const terminal = start(isPlain)
    const answer = terminal.prompts.text({ label: 'Amount' })
    for (let held = 0; held < 15; held += 1) {
      terminal.type(KEYS.enter)
      await new Promise((resolve) => setTimeout(resolve, 33))
    }
    expect(terminal.raw()).toBe('')
    await terminal.see('Amount')
    await terminal.press(KEYS.enter)
    expect(await answer).toBe('')
  })

  test('from the drawing on, no key is lost', async () => {
    const terminal = start(isPlain)
    const answer = terminal.prompts.text({ label: 'Amount' })
    await terminal.see('Amount')
    for (const key of ['2', '0', '8', '.', '0', '0']) terminal.type(key)
    await terminal.press(KEYS.enter)
    expect(await answer).toBe('208.00')
  })

  test.each([0, 50, 110, 200, 299])('an Enter %i ms after the drawing answers nothing', async (ms) => {
    const terminal = start(isPlain)
    const answer = terminal.prompts.text({ label: 'Amount' })
    await terminal.see('Amount')
    terminal.clock.ms += ms
    await terminal.typeAndLook(KEYS.enter)
    await terminal.press(`3.00${KEYS.enter}`)
    expect(await answer).toBe('3.00')
  })

  test('an Enter 300 ms after the drawing counts', async () => {
    const terminal = start(isPlain)
    const answer = terminal.prompts.text({ label: 'Amount' })
    await terminal.see('Amount')
    terminal.clock.ms += 300
    terminal.type(KEYS.enter)
    expect(await answer).toBe('')
  })

  test('an Enter that is held down answers nothing', async () => {
    const terminal = start(isPlain)
    const answer = terminal.prompts.text({ label: 'Amount' })
    await terminal.see('Amount')
    terminal.clock.ms += 200
    for (let held = 0; held < 30; held += 1) {
      terminal.clock.ms += 33
      await terminal.typeAndLook(KEYS.enter)
    }
    await terminal.press(`3.00${KEYS.enter}`)
    expect(await answer).toBe('3.00')
  })

  test.each([
    ['plain', [`y${KEYS.enter}`]],
    ['plain, with a line feed', ['y\n']],
    ['plain, of two lines', [`${KEYS.enter}y${KEYS.enter}`]],
    ['marked', [`${PASTE}y${KEYS.enter}${PASTE_END}`]],
    ['marked, in pieces', [PASTE, 'y', KEYS.enter, PASTE_END]],
    ['marked, in smaller pieces', ['\u001B', '[20', '0~y', KEYS.enter, '\u001B[2', '01~']],
  ])('a paste confirms nothing: %s', async (__, pieces) => {
    const terminal = start(isPlain)
    const answer = terminal.prompts.confirm({ sentence: 'Refund 5.00 EUR?' })
    let isYes: boolean | undefined
    void answer.then((value) => (isYes = value))
    await terminal.see('y/N')
    terminal.clock.ms += 1_000
    for (const piece of pieces) await terminal.typeAndLook(piece)
    expect(isYes).toBeUndefined()
    await terminal.see(isPlain ? 'y/N: y' : '(y/N) y')
    await terminal.press(`${KEYS.backspace}n${KEYS.enter}`)
    expect(await answer).toBe(false)
  })

  test('Enter right after Escape confirms nothing: Escape cancels', async () => {
    const terminal = start(isPlain)
    const answer = terminal.prompts.confirm({ sentence: 'Refund 5.00 EUR?' })
    await terminal.see('y/N')
    answer.catch(() => undefined)
    await terminal.press('y')
    terminal.clock.ms += 1_000
    await terminal.typeAndLook(KEYS.escape, KEYS.enter)
    await expect(answer).rejects.toMatchObject({ exitCode: 130 })
  })

  test.each([
    ['before the drawing', ''],
    ['after it', 'y/N'],
  ])('Ctrl-C among other keys counts, %s', async (__, when) => {
    const terminal = start(isPlain)
    const answer = terminal.prompts.confirm({ sentence: 'Refund 5.00 EUR?' })
    answer.catch(() => undefined)
    await terminal.see(when)
    terminal.type(`${PASTE}y${KEYS.ctrlC}`)
    await expect(answer).rejects.toMatchObject({ exitCode: 130 })
    expect(terminal.modes[0]).toBe(true)
    expect(terminal.modes.at(-1)).toBe(false)
  })

  test('a signal before the drawing ends it', async () => {
    const terminal = start(isPlain)
    const answer = terminal.prompts.secret({ label: 'Resume token' })
    terminal.stop.abort('SIGTERM')
    await expect(answer).rejects.toMatchObject({ exitCode: 143 })
    expect(terminal.raw()).toBe('')
  })

  test('a secret is pasted, and entered with a key of its own', async () => {
    const terminal = start(isPlain)
    const answer = terminal.prompts.secret({ label: 'Resume token' })
    await terminal.see('Resume token')
    await terminal.typeAndLook(`token-0123${KEYS.enter}`)
    await terminal.press(KEYS.enter)
    expect(await answer).toBe('token-0123')
    expect(terminal.raw()).not.toContain('token-0123')
  })
})

test('the terminal marks pastes while a prompt is drawn in place, and not afterwards', async () => {
  const terminal = start(false)
  const answer = terminal.prompts.text({ label: 'Amount' })
  await terminal.see('Amount')
  expect(terminal.raw()).toMatch(/^\u001B\[\?2004h/)
  await terminal.press(KEYS.enter)
  await answer
  expect(terminal.raw()).toMatch(/\u001B\[\?2004l$/)
})

test('a line that is typed key by key is echoed and edited as a terminal does', async () => {
  const terminal = start(true)
  const answer = terminal.prompts.text({ label: 'Reason' })
  await terminal.see('Reason')
  await terminal.press(`ab語${KEYS.backspace}\u0015né\u001B[A${KEYS.enter}`)
  expect(await answer).toBe('né')
  expect(terminal.raw()).toBe('? Reason: ab語\b\b  \b\b\b\b  \b\bné\n')
})

test('an Escape that was typed ahead takes nothing of what is typed later', () => {
  const filter = createKeyFilter()
  filter.skip('\u001B')
  filter.draw(0)
  expect(filter.take('1', 10)).toBe('1')
  expect(filter.take('\r', 400)).toBe('\r')
})
