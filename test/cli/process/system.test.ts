import { expect, test } from 'vitest'
import { columnsOf, readFile } from '../../../src/cli/process/system.ts'
import { inTerminal, terminalTest } from '../../support/pseudo-terminal.ts'
import { PAY } from '../../support/spawn-pay.ts'

test.each([
  [0, 80],
  [undefined, 80],
  [-1, 80],
  [1, 1],
  [132, 132],
])('a terminal that reports %s columns has %i', (reported, columns) => {
  expect(columnsOf(reported)).toBe(columns)
})

terminalTest('a terminal of 0 columns shows whole lines', async () => {
  const { screen } = await inTerminal(`${process.execPath} ${PAY} nonsense`, { columns: 0 })
  expect(screen).toContain('There is no command "pay nonsense"')
  expect((await inTerminal(`${process.execPath} ${PAY} help money`, { columns: 0 })).screen).toContain(
    'with code 2 and sends nothing. Without an amount, a capture takes all that is',
  )
})

test('a file error is reported in words, without a stack trace', () => {
  const read = () => readFile('/nothing/here.json', 'here.json', 100)
  expect(read).toThrow(/^here\.json cannot be read: no such file or directory$/)
})
