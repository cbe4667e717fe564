import { expect } from 'vitest'
import { payInTerminal, terminalTest } from '../support/pseudo-terminal.ts'

/** The overview is stored at build time for 80 columns; in a narrower terminal it is rendered again. */

/** Lines with commands are never broken. */
const isCommand = (line: string): boolean => line.startsWith('  pay ')

terminalTest.each(['--help', '-h', ''])('pay %s fits a terminal of 60 columns', async (words) => {
  const { exitCode, screen } = await payInTerminal(words, { columns: 60 })
  expect(exitCode).toBe(0)
  expect(screen).toContain('Usage: pay')
  expect(screen.split('\n').filter((line) => line.length > 60 && !isCommand(line))).toEqual([])
})

terminalTest('pay --help in a wide terminal is the stored page', async () => {
  const [wide, usual] = [
    await payInTerminal('--help', { columns: 200 }),
    await payInTerminal('--help', { columns: 80 }),
  ]
  expect(wide.screen).toBe(usual.screen)
})
