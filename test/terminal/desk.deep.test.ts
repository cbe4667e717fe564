import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect } from 'vitest'
import type { Scripted, ScriptedServer } from '../support/scripted-server.ts'
import { PAY } from '../support/spawn-pay.ts'
import { serve, useSpawnBench } from '../support/use-spawn-bench.ts'
import { CTRL_C, ENTER, inTerminal, payInTerminal, terminalTest } from '../support/pseudo-terminal.ts'
import { writesOf } from '../support/run-result.ts'

/** The desk of the built program in a real terminal: signals while it sends, narrow and dumb terminals. */

const bench = useSpawnBench()
let server: ScriptedServer
let onWrite: () => Scripted
const PAYMENT = {
  id: 'p1aaaaaaa',
  status: 'AUTHORIZED',
  orderId: 'A-1',
  currencyCode: 'EUR',
  amount: 5_000,
  date: '2026-03-01T11:58:00.000000',
  processor: { amountCaptured: 0, amountRefunded: 0 },
}
beforeEach(async () => {
  onWrite = () => ({ body: { ...PAYMENT, status: 'CANCELLED' } })
  server = (
    await serve(({ method, url }) =>
      method === 'GET' ? { body: url.includes('/p1') ? PAYMENT : { data: [PAYMENT] } } : onWrite(),
    )
  ).service
  await bench.pay(['profile', 'add', 'shop', '--base-url', server.url, '--test', '--api-key-stdin', '-q'], {
    stdin: 'key-of-the-shop-0123456789',
  })
})

const states = async () =>
  JSON.parse((await bench.pay('ops list --json')).stdout).map(({ state }: { state: string }) => state)
const TO_QUESTION = [
  { when: '1 newest', type: ENTER },
  { when: 'to copy', type: 'x' },
]
const YES = { when: '(y/N)', type: `y${ENTER}` }

terminalTest(
  'Ctrl-C twice while it sends: in doubt, a further action works, and the desk says so at its end',
  async () => {
    onWrite = () => ({ hang: true })
    // Without exec, the shell takes the first Ctrl-C for its own end, whatever the program exits with.
    const ended = await inTerminal(`exec ${process.execPath} ${PAY} desk`, {
      env: bench.env,
      steps: [
        ...TO_QUESTION,
        YES,
        { when: 'Sending', type: CTRL_C },
        { when: 'Interrupted: waiting', type: CTRL_C },
        { when: 'resolve payment.cancel', type: 'g' },
        { when: 'resolve payment.cancel', type: 's' },
        { when: '(y/N)', type: `n${ENTER}` },
        { when: 'resolve payment.cancel', type: CTRL_C },
      ],
    })
    expect(ended.exitCode).toBe(10)
    expect(ended.screen).toContain('payment.cancel on p1aaaaaaa is still in doubt')
    expect(writesOf(server)).toHaveLength(1)
    expect(await states()).toEqual(['in-doubt'])
  },
)

terminalTest.each([
  ['SIGHUP', 'idle', [], 143, []],
  ['SIGTERM', 'in a question', TO_QUESTION, 143, []],
  ['SIGKILL', 'while it sends', [...TO_QUESTION, YES], 137, ['in-doubt']],
] as const)('%s %s ends it, and what was sent is recorded', async (signal, _, steps, exitCode, recorded) => {
  onWrite = () => ({ hang: true })
  const pidFile = join(bench.folder, 'pid')
  const running = inTerminal(`echo $$ > ${pidFile}; exec ${process.execPath} ${PAY} desk`, {
    env: bench.env,
    steps,
  })
  await server.arrived(steps.length + 1)
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  process.kill(Number(readFileSync(pidFile, 'utf8')), signal)
  expect((await running).exitCode).toBe(exitCode)
  expect(writesOf(server)).toHaveLength(recorded.length)
  expect(await states()).toEqual(recorded)
})

terminalTest.each([44, 60])('at %i columns, no line is wider than the terminal', async (columns) => {
  const ended = await payInTerminal('desk', {
    env: { ...bench.env, NO_COLOR: '1' },
    columns,
    steps: [...TO_QUESTION.slice(0, 1), { when: 'to copy', type: CTRL_C }],
  })
  expect(ended.exitCode).toBe(130)
  // What is redrawn follows a code, not a line break.
  const lines = ended.raw.split(/\r?\n|\u001b\[[\d;?]*[A-Za-z]/)
  const wide = lines.filter((line) => Array.from(line).length > columns)
  expect(wide).toEqual([])
})

terminalTest.each([{ TERM: 'dumb' }, { ACCESSIBLE: '1' }, { PAY_PLAIN: '1' }])(
  'with %j it only adds lines, and refunds nothing by Enter alone',
  async (plain) => {
    const ended = await payInTerminal('desk', {
      env: { ...bench.env, NO_COLOR: '1', ...plain },
      steps: [
        { when: '? Search:', type: '#1\n' },
        { when: '? Choose', type: 'x\n' },
        { when: 'y/N:', type: '\n' },
        { when: '? Choose', type: CTRL_C },
      ],
    })
    expect(ended.exitCode).toBe(130)
    expect(ended.raw).not.toContain('\u001b')
    expect(writesOf(server)).toEqual([])
  },
)
