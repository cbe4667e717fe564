import { beforeEach, describe, expect } from 'vitest'
import type { ScriptedServer } from '../support/scripted-server.ts'
import { PAY } from '../support/spawn-pay.ts'
import { serve, useSpawnBench } from '../support/use-spawn-bench.ts'
import {
  BACKSPACE,
  CTRL_C,
  CTRL_D,
  ENTER,
  inTerminal,
  payInTerminal,
  terminalTest,
} from '../support/pseudo-terminal.ts'
import type { TerminalStep } from '../support/pseudo-terminal.ts'
import { writesOf } from '../support/run-result.ts'

const bench = useSpawnBench()
let server: ScriptedServer
const KEY = 'key-of-the-shop-0123456789'
beforeEach(async () => {
  server = (
    await serve(() => ({
      body: {
        id: 'p1',
        status: 'SETTLED',
        orderId: 'A-1',
        currencyCode: 'EUR',
        amount: 1000,
        processor: { amountCaptured: 1000, amountRefunded: 0 },
      },
    }))
  ).service
})

const addLive = () =>
  bench.pay(['profile', 'add', 'shop', '--base-url', server.url, '--live', '--api-key-stdin', '-q'], {
    stdin: KEY,
  })

const writes = () => writesOf(server)

terminalTest('a profile is added with a key that never shows on the screen', async () => {
  const added = await payInTerminal('profile add', {
    env: bench.env,
    steps: [
      { when: 'Profile name', type: `shop${ENTER}` },
      { when: 'Base URL', type: `https://api.example.com${ENTER}` },
      { when: 'API key', type: `${KEY}${ENTER}` },
    ],
  })
  expect(added.exitCode).toBe(0)
  expect(added.raw).not.toContain(KEY)
  const shown = await bench.pay('profile show --json')
  expect(JSON.parse(shown.stdout)).toMatchObject({
    name: 'shop',
    mode: 'live',
    baseUrl: 'https://api.example.com',
  })
})

terminalTest(
  'a new profile: an invalid answer is asked for again, and pasted spaces are ignored',
  async () => {
    const first = await bench.pay('profile add shop --base-url https://api.example.com --live -q')
    expect(first.exitCode).toBe(0)
    const added = await payInTerminal('profile add', {
      env: bench.env,
      steps: [
        { when: 'Profile name', type: `shop${ENTER}` },
        { when: 'Profile "shop" already exists', type: `${BACKSPACE.repeat(4)}desk ${ENTER}` },
        { when: 'Base URL', type: `htps://api.example.com${ENTER}` },
        { when: '! The base URL', type: `${BACKSPACE.repeat(22)}  https://api.example.com ${ENTER}` },
        { when: 'API key', type: ` ${KEY} ${ENTER}` },
      ],
    })
    expect(added.exitCode).toBe(0)
    expect(JSON.parse((await bench.pay('profile show desk --json')).stdout)).toMatchObject({
      baseUrl: 'https://api.example.com',
      apiKey: expect.stringMatching(/6789$/),
    })
  },
)

terminalTest.each([
  ['payment resume p1 --resume-token -', 'Resume token', 'LIVE profile shop?'],
  ['payment resume p1', 'Resume token', 'LIVE profile shop?'],
  ['profile set shop --api-key-stdin', 'API key', 'shop'],
])(
  '%s asks for the secret, does not mention stdin, and does not show the secret',
  async (line, label, then) => {
    await addLive()
    const asked = await payInTerminal(line, {
      env: bench.env,
      steps: [
        { when: label, type: `secret-of-${KEY}${ENTER}` },
        { when: then, type: ENTER },
      ],
    })
    expect(asked.screen).not.toContain('stdin')
    expect(asked.raw).not.toContain(`secret-of-${KEY}`)
  },
)

terminalTest(
  'a refund is asked for, previewed, confirmed and sent once with the amount that was shown',
  async () => {
    await addLive()
    const refunded = await payInTerminal('payment refund p1', {
      env: bench.env,
      // Each text is searched for after the previous one: the facts come before the confirmation.
      steps: [
        { when: 'Order            A-1', type: '' },
        { when: 'Remaining        10.00 EUR to refund', type: '' },
        { when: 'Amount', type: `2.50${ENTER}` },
        { when: 'Reason', type: ENTER },
        { when: 'This refund      2.50 EUR', type: '' },
        { when: 'Remaining after  7.50 EUR', type: '' },
        { when: 'LIVE profile shop?', type: `y${ENTER}` },
      ],
    })
    expect(refunded.exitCode).toBe(0)
    expect(writes().map(({ body }) => body)).toEqual(['{"amount":250}'])
  },
)

terminalTest('Enter alone means No and sends nothing', async () => {
  await addLive()
  const refused = await payInTerminal('payment refund p1 --amount 250', {
    env: bench.env,
    steps: [{ when: 'LIVE profile shop?', type: ENTER }],
  })
  expect(refused.exitCode).toBe(2)
  expect(refused.screen).toContain('nothing was sent')
  expect(writes()).toEqual([])
})

describe.each([
  [100, {}],
  [60, {}],
  [100, { TERM: 'dumb' }],
  [60, { PAY_PLAIN: '1' }],
])('at %i columns with %j', (columns, plain) => {
  const refund = (steps: readonly TerminalStep[]) =>
    payInTerminal('payment refund p1', { env: { ...bench.env, ...plain }, columns, steps })

  terminalTest('an Enter that comes too early takes no amount, and no digit after it is lost', async () => {
    await addLive()
    const refunded = await refund([
      { when: 'Amount (', paste: ENTER, type: `3.00${ENTER}` },
      { when: 'Reason', paste: ENTER, type: `late${ENTER}` },
      { when: '/N', type: `y${ENTER}` },
    ])
    expect(refunded.exitCode).toBe(0)
    expect(writes().map(({ body }) => body)).toEqual(['{"amount":300,"reason":"late"}'])
  })

  terminalTest.each([
    ['plain', `y${ENTER}`],
    ['marked', `\u001B[200~y${ENTER}\u001B[201~`],
  ])('a paste of y and a line break confirms nothing: %s', async (_, paste) => {
    await addLive()
    const refused = await refund([
      { when: 'Amount (', type: `half${ENTER}` },
      { when: 'Reason', type: ENTER },
      // The second time long after the drawing.
      { when: '/N', paste },
      { when: 'y', afterMs: 600, paste, type: `${BACKSPACE}${BACKSPACE}n${ENTER}` },
    ])
    expect(refused.exitCode).toBe(2)
    expect(refused.screen).toContain('Refund 5.00 EUR')
    expect(writes()).toEqual([])
  })
})

terminalTest.each([
  ['Ctrl-C', CTRL_C],
  ['Ctrl-D', CTRL_D],
])('%s at a prompt sends nothing, exit 130', async (_, keys) => {
  await addLive()
  const ended = await payInTerminal('payment refund p1', {
    env: bench.env,
    steps: [{ when: 'Amount', type: keys }],
  })
  expect(ended.exitCode).toBe(130)
  expect(ended.screen).toContain('nothing was sent')
  expect(writes()).toEqual([])
})

terminalTest('SIGTERM at a prompt sends nothing, exit 143', async () => {
  await addLive()
  const line = `{ sleep 1; kill -TERM "$(cat pid)"; } & sh -c 'echo $$ > pid; exec "${process.execPath}" "${PAY}" payment refund p1'`
  const ended = await inTerminal(line, {
    env: bench.env,
    cwd: bench.folder,
    steps: [{ when: 'Amount', type: '' }],
  })
  expect(ended.exitCode).toBe(143)
  expect(ended.screen).toContain('nothing was sent')
  expect(writes()).toEqual([])
})

terminalTest.each([
  ['', true],
  ['-q', false],
  ['--verbose', false],
])('a spinner runs while waiting and disappears: with %j %s', async (flag, isShown) => {
  const { env } = await serve(() => ({
    delayMs: 900,
    body: {
      id: 'p1',
      status: 'SETTLED',
      currencyCode: 'EUR',
      processor: { amountCaptured: 90, amountRefunded: 5 },
    },
  }))
  const refunded = await payInTerminal(`payment refund p1 --amount 5 ${flag}`.trim(), {
    env: { ...bench.env, ...env },
  })
  expect(refunded.exitCode).toBe(0)
  expect(refunded.screen.includes('Sending…')).toBe(isShown)
  if (isShown) expect(refunded.raw).toMatch(/Sending…(?: \d+ s)?\r\u001b\[K(?![^]*Sending…)/)
})

terminalTest('a dumb terminal has no spinner', async () => {
  const { env } = await serve(() => ({ delayMs: 900, body: { id: 'p1' } }))
  const got = await payInTerminal('payment get p1', { env: { ...bench.env, ...env, TERM: 'dumb' } })
  expect(got.exitCode).toBe(0)
  expect(got.raw).not.toContain('Reading…')
})

terminalTest('prompts go to stderr: a redirected stdout has only the result', async () => {
  const got = await payInTerminal('--sandbox payment get', {
    env: bench.env,
    after: '> out.txt',
    cwd: bench.folder,
    steps: [{ when: 'Payment ID', type: `abc123456${ENTER}` }],
  })
  expect(got.exitCode).toBe(5)
  const { stdout } = await bench.shell('cat out.txt', { cwd: bench.folder })
  expect(stdout).toBe('')
})

terminalTest('a machine format asks nothing, not even on a terminal', async () => {
  const refused = await payInTerminal('--sandbox payment get -o json', { env: bench.env })
  expect(refused.exitCode).toBe(2)
  expect(refused.screen).toContain('"missing_input"')
})

terminalTest('a terminal has colours, except with NO_COLOR', async () => {
  const colored = await payInTerminal('payment get p1', {
    env: { ...bench.env, PAY_API_KEY: KEY, PAY_BASE_URL: server.url },
  })
  const plain = await payInTerminal('payment get p1', {
    env: { ...bench.env, PAY_API_KEY: KEY, PAY_BASE_URL: server.url, NO_COLOR: '1' },
  })
  expect(colored.raw).toContain('\u001b[')
  expect(plain.raw).not.toContain('\u001b[3')
})
