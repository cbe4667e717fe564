// Draws docs/pictures/*.svg from real sessions in a pseudo-terminal. Usage: npm run pictures [-- --check]
//   --check writes nothing and fails if a picture differs from what the program shows.
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import terminal from '@xterm/headless'
import { svgOf } from './terminal-svg.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const PROMPT = '$ '
const STEP_TIMEOUT_MS = 20_000

/**
 * A session: what runs before the recording, then what a person types. `until` is the text that the screen must show before
 * the next line is typed; `$ ` alone is the shell's prompt.
 */
const SESSIONS = [
  {
    name: 'refund',
    title: 'pay shows what a refund will do, asks, and reports it',
    columns: 92,
    prepare: `
      URL=$(pay sandbox start --background --port 0 -o id)
      printf %s sandbox_all | pay profile add shop --base-url "$URL" --live --api-key-stdin
      ID=$(pay --sandbox payment create --token tok_visa --amount '49.90 EUR' --order-id order-1042 -o id)
      pay --sandbox payment capture "$ID"`,
    types: [
      {
        line: "pay payment refund --order order-1042 --amount '5.00 EUR' --reason 'damaged'",
        until: '(y/N)',
      },
      { line: 'y', until: PROMPT },
    ],
    cleanUp: 'pay sandbox stop',
  },
  {
    name: 'lost-answer',
    title: 'A refund whose answer is lost is resolved, not repeated',
    columns: 92,
    prepare: `
      ID=$(pay --sandbox payment create --token tok_visa --amount '49.90 EUR' --order-id order-1042 -o id)
      pay --sandbox payment capture "$ID"
      pay sandbox faults add --on 'POST /payments/*/refund' --do drop-after --times 1`,
    types: [
      {
        line: 'pay --sandbox payment refund --order order-1042 --amount 500 --max-retries 0 -q',
        until: PROMPT,
      },
      { line: 'pay --sandbox ops resolve --all -q', until: PROMPT },
    ],
  },
  {
    name: 'desk',
    title: 'The desk: a payment is found by its order',
    columns: 92,
    prepare: `
      for N in 1 2 3; do pay --sandbox payment create --token tok_autocapture --amount "4$N.90 EUR" --order-id order-104$N; done
      pay --sandbox payment create --token tok_declined --amount '15.00 EUR' --order-id order-2001 || true`,
    types: [
      { line: 'pay --sandbox desk -q', until: 'Esc leave' },
      // The last line of the screen: what is above it has been drawn.
      { line: 'order-1042', shown: '1 found', until: 'Esc back' },
    ],
    ending: '\u0003',
  },
  {
    name: 'batch',
    title: 'pay plans a file of refunds, says which rows are ready, and applies those',
    columns: 92,
    prepare: `
      for N in 1 2 3; do pay --sandbox payment create --token tok_autocapture --amount "$N"'0.50 EUR' --order-id order-200$N; done
      printf 'orderId,amount,reason,ticket\\norder-2001,5.00 EUR,late,SUP-1\\norder-2002,,cancelled,SUP-2\\norder-2003,40.00 EUR,late,SUP-3\\n' >refunds.csv`,
    types: [
      { line: 'pay --sandbox batch plan refund refunds.csv -q', until: PROMPT },
      { line: 'pay --sandbox batch apply refunds.plan.ndjson -q', until: PROMPT },
    ],
  },
  {
    name: 'reconcile',
    title: "pay compares a provider's settlement file with the payments",
    columns: 92,
    prepare: `
      for N in 1 2 3; do pay --sandbox payment create --token tok_autocapture --amount "$N"'0.50 EUR' --order-id order-300$N; done
      pay --sandbox payment refund --order order-3001 --amount '2.00 EUR' -y
      pay sandbox clock advance 2h
      cat >settled.csv <<END
order,type,gross,currency
order-3001,charge,10.50,EUR
order-3002,charge,20.00,EUR
order-3001,refund,-2.00,EUR
order-3001,refund,-2.00,EUR
,payout,-26.50,EUR
END
      cat >acme.yaml <<END
map: { orderId: order, amount: gross, currencyCode: currency }
kinds: { column: type, payment: [charge], refund: [refund], payout: [payout] }
amounts: major
END`,
    types: [{ line: 'pay --sandbox reconcile settled.csv --mapping acme.yaml -q', until: PROMPT }],
  },
]

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
let hasDrifted = false
for (const session of SESSIONS) {
  const path = join(ROOT, 'docs/pictures', `${session.name}.svg`)
  const svg = svgOf(await record(session), session)
  if (!values.check) writeFileSync(path, svg)
  else if (readFileSync(path, 'utf8') !== svg) {
    hasDrifted = true
    console.error(`${path} is out of date. Run npm run pictures`)
  }
}
process.exitCode = hasDrifted ? 1 : 0

/** The final screen, as lines of cells with their colours. `ending` is the key that leaves the program on it. */
async function record({ columns, prepare, types, ending, cleanUp }) {
  const folder = mkdtempSync(join(tmpdir(), 'payctl-pictures-'))
  const pay = join(folder, 'pay')
  writeFileSync(pay, `#!/bin/sh\nexec ${process.execPath} ${join(ROOT, 'bin/pay.cjs')} "$@"\n`)
  chmodSync(pay, 0o755)
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    HOME: folder,
    PAY_CONFIG_DIR: join(folder, 'config'),
    PAY_STATE_DIR: join(folder, 'state'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    PS1: PROMPT,
  }
  const run = (text) =>
    execFileSync('bash', ['-euc', text], {
      cwd: folder,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
    })
  try {
    run(prepare)
    const ids = run('pay --sandbox payment list -o id').trim().split('\n').toReversed()
    return await typed({ columns, types, ending, env, folder, ids })
  } finally {
    if (cleanUp !== undefined) run(cleanUp)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function typed({ columns, types, ending, env, folder, ids }) {
  const screen = new terminal.Terminal({ cols: columns, rows: 60, allowProposedApi: true })
  const shell = spawn(
    'script',
    ['-qefc', `stty cols ${columns} rows 60; exec bash --norc --noprofile`, '/dev/null'],
    {
      cwd: folder,
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  const closed = new Promise((resolve) => shell.on('close', resolve))
  const shown = new EventTarget()
  shell.stdout.on('data', (bytes) => screen.write(bytes, () => shown.dispatchEvent(new Event('change'))))
  screen.onData((answer) => shell.stdin.write(answer))
  try {
    await until((text) => text.endsWith(PROMPT.trim()))
    for (const step of types) {
      const from = textOf(screen).length
      shell.stdin.write(step.line)
      // Enter opens a row that is there.
      if (step.shown !== undefined) await until((text) => text.includes(step.shown))
      // Where money moves, a prompt takes no Enter that comes right after it was drawn, nor in one read with other keys.
      await sleep(500)
      shell.stdin.write('\r')
      await until((text) =>
        step.until === PROMPT
          ? text.length > from + step.line.length && text.endsWith(`\n${PROMPT.trim()}`)
          : text.slice(from).includes(step.until),
      )
    }
    const cells = cellsOf(screen, ids)
    // A program that still runs would take the shell's line as its own keys.
    if (ending !== undefined) shell.stdin.write(ending)
    await until((text) => text.endsWith(`\n${PROMPT.trim()}`))
    shell.stdin.end('exit\r')
    await closed
    return cells
  } catch (error) {
    shell.kill()
    await closed
    throw error
  }

  function until(isReached) {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`stuck at:\n${textOf(screen)}`)), STEP_TIMEOUT_MS)
      const look = () => {
        if (!isReached(textOf(screen))) return
        clearTimeout(timer)
        shown.removeEventListener('change', look)
        resolve()
      }
      shown.addEventListener('change', look)
      look()
    })
  }
}

function textOf(screen) {
  const { active } = screen.buffer
  return Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
    .join('\n')
    .trimEnd()
}

/** Leaves out the last prompt, and replaces what differs from run to run. */
function cellsOf(screen, ids) {
  const { active } = screen.buffer
  const lines = []
  for (let row = 0; row < active.length; row += 1) {
    const line = active.getLine(row)
    const text = withStableValues(line.translateToString(true), ids)
    const cells = [...text].map((character, column) => {
      const cell = line.getCell(column)
      return {
        character,
        color: cell === undefined || cell.isFgDefault() ? undefined : cell.getFgColor(),
        isBold: cell !== undefined && cell.isBold() !== 0,
        isDim: cell !== undefined && cell.isDim() !== 0,
        isInverse: cell !== undefined && cell.isInverse() !== 0,
      }
    })
    lines.push(cells)
  }
  const last = lines.findLastIndex((cells) =>
    cells.some(({ character }) => character.trim() !== '' && character !== '$'),
  )
  return lines.slice(0, last + 1)
}

/** Replaces IDs, times and ports with constants of the same length. */
function withStableValues(text, ids) {
  return ids
    .reduce((shown, id, at) => shown.replaceAll(id, `Kx7pQ2mR${'tuvwxyz'[at] ?? 'a'}`), text)
    .replaceAll(/\b20\d\d-\d\d-\d\d(?:[ T]\d\d:\d\d(:\d\d(\.\d+)?)?)?/g, (moment) =>
      '2026-03-10 09:41:00'.slice(0, moment.length),
    )
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, '6f1c2a34-5b6d-4e7f-8a9b-0c1d2e3f4a5b')
    .replaceAll(/(?<=Seconds +)\d+(?:\.\d)?\b/g, '0.1')
    .replaceAll(/127\.0\.0\.1:\d{5}\b/g, '127.0.0.1:40100')
    .replaceAll(/(?<=\bby )[^\s@]+@\S+/g, 'ada@shop')
}
