import { expect, test } from 'vitest'
import { createBench, jsonAnswer } from '../../support/run-pay.ts'
import type { RunOptions } from '../../support/run-pay.ts'
import { storeProfile } from '../../support/stored-profile.ts'
import { AUTHORIZED, PAID } from '../payment-to-change.ts'

/**
 * What becomes of an amount, for every way to give it: what is read, asked and sent, in order, and the exit code with the code
 * or the words of the error. A change of these golden files is a change of what happens to money.
 */

const PAYMENTS = {
  refund: PAID,
  capture: AUTHORIZED,
  adjust: { ...AUTHORIZED, paymentMethod: { authorizationType: 'ESTIMATED' } },
  cancel: AUTHORIZED,
} as const
type Verb = keyof typeof PAYMENTS

/** What reading the payment gives. Every write is accepted. */
const READS = {
  'in EUR': (payment: object) => jsonAnswer(200, payment),
  'in USD': (payment: object) => jsonAnswer(200, { ...payment, currencyCode: 'USD' }),
  'no currency': (payment: object) => jsonAnswer(200, { ...payment, currencyCode: null }),
  'no figures': (payment: object) => jsonAnswer(200, { ...payment, amount: null, processor: null }),
  cancelled: (payment: object) => jsonAnswer(200, { ...payment, status: 'CANCELLED' }),
  unreadable: () => jsonAnswer(503, {}),
} as const
type Read = keyof typeof READS
const PROFILES = {
  test: { mode: 'test' },
  live: { mode: 'live' },
  'live up to 4 EUR': { mode: 'live', words: ['--max-amount', '4 EUR'] },
  'test up to 5 EUR': { mode: 'test', words: ['--max-amount', '5 EUR'] },
  'live up to 5 USD': { mode: 'live', words: ['--max-amount', '5 USD'] },
  'live, read-only': { mode: 'live', words: ['--read-only'] },
} as const
type Profile = keyof typeof PROFILES
const ALL_PROFILES = [
  'test',
  'live',
  'live up to 4 EUR',
  'test up to 5 EUR',
  'live up to 5 USD',
  'live, read-only',
] as const satisfies readonly Profile[]

interface Way {
  /** What is typed after `pay payment`. */
  readonly line: string
  readonly who: 'script' | 'person'
  readonly answer?: string
  readonly profile: Profile
  readonly read: Read
}

const verbOf = (line: string): Verb =>
  (['refund', 'capture', 'adjust'] as const).find((verb) => line.startsWith(verb)) ?? 'cancel'

async function follow({ line, who, answer = '', profile, read }: Way): Promise<string> {
  const bench = createBench()
  const payment = PAYMENTS[verbOf(line)]
  const steps: string[] = []
  const service: RunOptions['service'] = ({ method, url, body }) => {
    // The look at the order's other payments before a question.
    if (url.includes('order_id=')) return jsonAnswer(200, { data: [] })
    steps.push(method === 'GET' ? 'read' : `send ${body ?? 'all'}`)
    return method === 'GET' ? READS[read](payment) : jsonAnswer(200, payment)
  }
  const reply = (label: string, text: string, problem?: string) => {
    steps.push(`"${label}" ${text}${problem === undefined ? '' : `: ${problem}`}`)
    // After two readings of a text, the question comes again.
    if (problem !== undefined || steps.length > 4) throw new Error('refused')
    return text
  }
  const prompts: RunOptions['prompts'] = {
    text: async ({ label, canSkip, check }) => {
      const text = label.endsWith('?') ? '1' : answer
      return canSkip === true ? '' : reply(label, text, check?.(text))
    },
    secret: () => Promise.reject(new Error('asks for a secret')),
    choose: async ({ label, choices: [first] }) => reply(label, first?.value ?? ''),
    confirm: async ({ sentence }) => reply(sentence, 'yes') === 'yes',
    show: () => Promise.reject(new Error('shows a screen')),
  }
  try {
    await storeProfile(bench, PROFILES[profile])
    const ran = await bench.runPay(
      `payment ${line} --color never --max-retries 0 ${who === 'script' ? '--json --yes' : ''}`,
      { service, ...(who === 'person' ? { prompts, columns: 500 } : {}) },
    )
    const problem = /"code":"(\w+)"/.exec(ran.stderr)?.[1] ?? /^✗ (.*)$/m.exec(ran.stderr)?.[1]
    const isRefused = problem?.startsWith('Unexpected') === true
    const [, shown] = /"body": (\{[^}]*\})/.exec(ran.stdout) ?? /\n\n(\{[^]*\})\n$/.exec(ran.stdout) ?? []
    const left = /"unchecked": (\[[^\]]*\])/.exec(ran.stdout)?.[1]
    return [
      ...steps,
      ...(shown === undefined ? [] : [`show ${shown.replaceAll(/\s/g, '')}`]),
      ...(left === undefined ? [] : [`unchecked: ${left.replaceAll(/[[\]"]|\s(?=\s)/g, '').trim()}`]),
      ...(isRefused
        ? []
        : [[`exit ${ran.exitCode}`, problem].filter((part) => part !== undefined).join(' ')]),
    ].join(' · ')
  } finally {
    bench.dispose()
  }
}

/** One line for all ways of a group that lead to the same. */
async function tableOf(groups: readonly (readonly Way[])[]): Promise<string> {
  const lines: string[] = []
  for (const group of groups) {
    const outcomes = new Map<string, Way[]>()
    for (const way of group) {
      const outcome = await follow(way)
      outcomes.set(outcome, [...(outcomes.get(outcome) ?? []), way])
    }
    const [{ line, who, answer } = { line: '', who: 'script' }] = group
    lines.push(`${line}, ${who}${answer === undefined ? '' : ` who answers "${answer}"`}`)
    for (const [outcome, ways] of outcomes) {
      const reads = [...new Set(ways.map(({ read }) => read))]
      const profiles = [...new Set(ways.map(({ profile }) => profile))]
      const isWhole = ways.length === reads.length * profiles.length
      const names = isWhole
        ? `${profiles.join(' / ')}: ${reads.join(', ')}`
        : ways.map(({ read, profile }) => `${profile}: ${read}`).join('; ')
      lines.push(`  ${names}`, `    ${outcome}`)
    }
  }
  return `${lines.join('\n')}\n`
}

const waysOf = (
  way: Pick<Way, 'line' | 'who' | 'answer'>,
  profiles: readonly Profile[],
  reads: readonly Read[],
): readonly Way[] => profiles.flatMap((profile) => reads.map((read) => ({ ...way, profile, read })))

const TYPED = [
  '',
  ' --amount 500',
  " --amount '5.00 EUR'",
  ' --amount 5.00',
  ' --amount 5.00 --currency EUR',
  ' --currency EUR',
  ' --amount 1001',
  ` --data '{"amount":500}'`,
  ` --data '{"amount":"x"}' --no-validate`,
  ` --data '{"amount":500}' --amount 4.00`,
]
const FEWER_TYPED = ['', ' --amount 500', " --amount '5.00 EUR'", ' --amount 5.00', ' --amount 1001']

test.each([
  ['refund', TYPED, ['in EUR', 'in USD', 'no currency', 'cancelled', 'unreadable']],
  ['refund', [' --amount 0', ' --amount half', " --amount '5 USD' --currency EUR"], ['in EUR']],
  ['capture', FEWER_TYPED, ['in EUR', 'unreadable']],
  ['adjust', FEWER_TYPED, ['in EUR', 'unreadable']],
] as const)('an amount that is typed after %s', async (verb, typed, reads) => {
  const profiles = ['test', 'live up to 4 EUR'] as const
  const groups = typed.flatMap((words) => [
    waysOf({ line: `${verb} p1${words}`, who: 'script' }, profiles, reads),
    waysOf({ line: `${verb} p1${words}`, who: 'person', answer: '3.00' }, profiles, reads),
    waysOf({ line: `${verb} p1${words} --dry-run`, who: 'script' }, profiles, ['in EUR']),
    waysOf({ line: `${verb} p1${words} --dry-run`, who: 'person' }, profiles, ['in EUR']),
  ])
  const name = reads.length === 1 ? 'refused' : verb
  await expect(await tableOf(groups)).toMatchFileSnapshot(`../../golden/amounts/typed-${name}.txt`)
})

test.each([
  ['refund', ['', '5.00', '5 EUR', '500', 'half', '50%', 'all', '0', '801', '5 USD', 'x']],
  ['capture', ['', '5.00', 'half', '1001']],
  ['adjust', ['', '5.00', 'half', '1001']],
] as const)('an amount that %s asks for', async (verb, answers) => {
  const reads = ['in EUR', 'in USD', 'no currency', 'no figures', 'unreadable'] as const
  const profiles = ['live', 'live up to 4 EUR'] as const
  const groups = answers.map((answer) =>
    waysOf({ line: `${verb} p1`, who: 'person', answer }, profiles, reads),
  )
  await expect(await tableOf(groups)).toMatchFileSnapshot(`../../golden/amounts/asked-${verb}.txt`)
})

test('the limits of a profile', async () => {
  const lines = [
    ...['', ' --amount 400', ' --amount 401'].map((words) => `refund p1${words}`),
    'refund p1 --yes',
    'capture p1 --yes',
    'adjust p1 --amount 401',
    'cancel p1',
  ]
  const groups = lines.flatMap((line) => [
    ...(line.includes('--yes') ? [] : [waysOf({ line, who: 'script' }, ALL_PROFILES, ['in EUR'])]),
    waysOf({ line, who: 'person', answer: '4.00' }, ALL_PROFILES, ['in EUR']),
    waysOf({ line: `${line} --dry-run`, who: 'person' }, ALL_PROFILES, ['in EUR']),
  ])
  await expect(await tableOf(groups)).toMatchFileSnapshot('../../golden/amounts/limits.txt')
})
