import type { PayError } from '../../errors.ts'
import { QUIET_MS, REPEAT_MS } from '../../cli/command/prompts-port.ts'
import type { Key, Picture, ScreenKey, Step, Tint } from '../../cli/command/prompts-port.ts'

/** The list of the desk: what keys and arriving rows do to it, and how it looks. */

/** What the list is asked for. */
export interface Asked {
  readonly view: 'payments' | 'attention'
  readonly text: string
  readonly isWide: boolean
  /** Whether to read payments in full, for what lists don't tell; not while a person types. */
  readonly isFull: boolean
  /** How often the list was to be read again. */
  readonly again: number
}

export interface DeskRow {
  /** The ID of the row, which stays while the row moves. */
  readonly id: string
  /** The payment that it opens. */
  readonly paymentId: string | undefined
  /** The write of the ledger that it is about. */
  readonly writeId?: string | undefined
}

interface DeskLine {
  readonly text: string
  /** The part that has a colour of its own. */
  readonly tint?: Tint | undefined
}

export interface Listed {
  readonly asked: Asked
  readonly rows: readonly DeskRow[]
  /** Draws a line for each row. */
  readonly render: (columns: number) => { readonly heading: string; readonly lines: readonly DeskLine[] }
  /** Whether nothing was found, and payments read in full may fit. */
  readonly canReadMore?: boolean
  /** How many things need attention, if these are they. */
  readonly attention?: number
  /** What the rows are: how many, by which filters, of when. */
  readonly status: readonly string[]
}

type Help = 'keys' | 'lines'

export interface ListState {
  /** The account and its ledger. */
  readonly title: readonly [account: string, ledger: string]
  /** How many things need attention; undefined while they are being counted, null if they can't be. */
  readonly attention: number | null | undefined
  /** What is shown in place of the rows: the keys, or the answers that a desk of lines takes. */
  readonly help: Help | undefined
  readonly asked: Asked
  /** What is drawn, which may belong to an earlier question. */
  readonly listed: Listed | undefined
  readonly failed: { readonly asked: Asked; readonly words: readonly string[] } | undefined
  /** The ID of the row that Enter opens. */
  readonly chosen: string | undefined
  /** When another row was chosen without a key. */
  readonly movedAtMs: number
  /** Whether Enter was pressed before the rows were there: the only one is opened. */
  readonly opensOnly: boolean
  readonly lastEnterMs: number
}

export type ListAnswer = { readonly state: ListState } & (
  | { readonly kind: 'open'; readonly row: DeskRow }
  | { readonly kind: 'leave' | 'profile' | 'done-here' }
  | { readonly kind: 'refused'; readonly error: PayError }
)

type ListStep = Step<ListState, ListAnswer>

export const startList = (title: ListState['title'], text: string): ListState => ({
  title,
  attention: undefined,
  help: undefined,
  asked: { view: 'payments', text, isWide: false, isFull: text !== '', again: 0 },
  listed: undefined,
  failed: undefined,
  chosen: undefined,
  movedAtMs: Number.NEGATIVE_INFINITY,
  opensOnly: false,
  lastEnterMs: Number.NEGATIVE_INFINITY,
})

export const isSame = (one: Asked | undefined, other: Asked): boolean =>
  one !== undefined &&
  one.view === other.view &&
  one.text.trim() === other.text.trim() &&
  one.isWide === other.isWide &&
  one.isFull === other.isFull &&
  one.again === other.again

/** Whether rows are being read. Those of before stay, dimmed. */
export const isReading = ({ asked, listed, failed }: ListState): boolean =>
  !isSame(listed?.asked, asked) && !isSame(failed?.asked, asked)

/** Whether the rows belong to what is asked for, though they may be older. */
const isForAsked = ({ asked, listed }: ListState): boolean =>
  listed !== undefined && isSame({ ...listed.asked, again: asked.again }, asked)

const MOST_TEXT = 200
const PAGE = 10

export function pressList(before: ListState, key: Key): ListStep {
  const { name, isCtrl, text, atMs } = key
  const state = { ...before, help: undefined }
  if (before.help === 'keys' || (before.help === 'lines' && name === 'escape')) return { state }
  if (text === '?') return { state: { ...state, help: 'keys' } }
  if (name === 'return') return pressEnter(state, atMs)
  if (isCtrl) return pressCtrl(state, name)
  if (name === 'escape') return pressEscape(state)
  const moved = MOVES[name]
  if (moved !== undefined) return { state: choose(state, (at) => at + moved) }
  const typed = state.asked.text
  if (name === 'backspace') return ask(state, { text: Array.from(typed).slice(0, -1).join('') })
  return text === ''
    ? { state }
    : ask(state, { view: 'payments', text: `${typed}${text}`.slice(0, MOST_TEXT) })
}

const MOVES: Readonly<Record<string, number>> = {
  up: -1,
  down: 1,
  pageup: -PAGE,
  pagedown: PAGE,
  home: Number.NEGATIVE_INFINITY,
  end: Number.POSITIVE_INFINITY,
}

const ask = (state: ListState, change: Partial<Asked>): ListStep => ({
  state: {
    ...state,
    asked: {
      ...state.asked,
      ...(change.text === undefined ? {} : { isFull: false, isWide: false }),
      ...change,
    },
    opensOnly: false,
  },
})

/** The state with a whole line typed, which ends with Enter. */
export const typeText = (state: ListState, text: string): ListState =>
  text === '?'
    ? { ...state, help: 'lines' }
    : {
        ...state,
        help: undefined,
        asked: { ...state.asked, view: 'payments', text: text.slice(0, MOST_TEXT), isFull: true },
      }

function pressCtrl(state: ListState, name: string): ListStep {
  const { asked } = state
  switch (name) {
    case 'r':
      return ask(state, { again: asked.again + 1 })
    case 't':
      return ask(state, { view: asked.view === 'attention' ? 'payments' : 'attention' })
    case 'o':
      return ask(state, { view: 'payments', isWide: !asked.isWide, isFull: true })
    case 'u':
      return ask(state, { text: '' })
    case 'w':
      return ask(state, { text: asked.text.trimEnd().replace(/(?<!\S)\S+$/, '') })
    case 'p':
      return { answer: { kind: 'profile', state } }
    case 'l':
      return { answer: { kind: 'done-here', state } }
    default:
      return { state }
  }
}

function pressEscape(state: ListState): ListStep {
  if (state.asked.view === 'attention') return ask(state, { view: 'payments' })
  return state.asked.text === '' ? { answer: { kind: 'leave', state } } : ask(state, { text: '' })
}

/** Opens the row that was drawn, wherever it is by then. A key that is held down opens nothing more. */
function pressEnter(state: ListState, atMs: number): ListStep {
  const pressed = { ...state, lastEnterMs: atMs }
  if (atMs - state.lastEnterMs < REPEAT_MS) return { state: pressed }
  if (!isForAsked(state)) return { state: { ...pressed, opensOnly: true } }
  // The row that the person saw has just given way to this one.
  if (atMs - state.movedAtMs < QUIET_MS) return { state: pressed }
  if (state.listed?.canReadMore === true) return { state: readInFull(pressed) }
  const row = state.listed?.rows.find(({ id }) => id === state.chosen)
  return row === undefined ? { state: pressed } : { answer: { kind: 'open', row, state: pressed } }
}

/** Asks for the same in full, and opens it if it is the only one. */
const readInFull = (state: ListState): ListState => ({
  ...state,
  asked: { ...state.asked, isFull: true },
  opensOnly: true,
})

export function choose(state: ListState, place: (at: number) => number): ListState {
  const rows = state.listed?.rows ?? []
  const at = rows.findIndex(({ id }) => id === state.chosen)
  const row = rows[Math.max(0, Math.min(rows.length - 1, place(at)))]
  return { ...state, chosen: row?.id, movedAtMs: Number.NEGATIVE_INFINITY }
}

/** Takes rows that have arrived. The chosen row stays chosen wherever it has moved to. */
export function arrive(state: ListState, listed: Listed, atMs: number): ListStep {
  if (!isSame(listed.asked, state.asked)) return { state }
  const { rows } = listed
  const isThere = rows.some(({ id }) => id === state.chosen)
  const arrived = {
    ...state,
    listed,
    failed: undefined,
    opensOnly: false,
    attention: listed.attention ?? state.attention,
    chosen: isThere ? state.chosen : rows[0]?.id,
    movedAtMs: isThere || state.listed === undefined ? state.movedAtMs : atMs,
  }
  const [only] = rows
  if (state.opensOnly && listed.canReadMore === true) return { state: readInFull(arrived) }
  return state.opensOnly && only !== undefined && rows.length === 1
    ? { answer: { kind: 'open', row: only, state: arrived } }
    : { state: arrived }
}

export const fail = (state: ListState, asked: Asked, words: readonly string[]): ListStep => ({
  state: isSame(asked, state.asked) ? { ...state, failed: { asked, words }, opensOnly: false } : state,
})

export function pictureOfList(state: ListState, columns: number): Picture {
  const { asked, listed, failed, chosen } = state
  const titles = { title: titleOf(state), titleTint: state.title[0].startsWith(LIVE) ? LIVE_TINT : undefined }
  const input = { label: 'Search:', text: asked.text }
  if (state.help !== undefined)
    return { ...titles, input, rows: [], chosen: -1, status: HELP[state.help], keys: keysOfHelp(state) }
  const isOld = isReading(state) || failed !== undefined
  const { heading, lines } = listed?.render(columns) ?? { heading: '', lines: [] }
  const rows = listed?.rows ?? []
  const isFailed = isSame(failed?.asked, asked)
  const status = isReading(state)
    ? [listed === undefined ? 'Reading …' : `Reading … The rows are older: ${listed.status.at(-1) ?? ''}`]
    : isFailed
      ? [...(failed?.words ?? []), ...(rows.length === 0 ? [] : (listed?.status.slice(-1) ?? []))]
      : [...(listed?.status ?? []), ...(listed?.canReadMore === true ? ['Enter reads them in full.'] : [])]
  return {
    ...titles,
    input,
    ...(rows.length === 0 ? {} : { heading }),
    rows: lines.map(({ text, tint }) => ({ text, ...(isOld ? { tone: 'dim' as const } : { tint }) })),
    chosen: rows.findIndex(({ id }) => id === chosen),
    status,
    keys: keysOf(state),
  }
}

const LIVE = 'LIVE'
const LIVE_TINT: Tint = { text: LIVE, tone: 'bad' }

function titleOf({ title: [account, ledger], attention }: ListState): string {
  const counted =
    attention === undefined
      ? 'counting what needs attention …'
      : attention === null
        ? 'what needs attention could not be read'
        : attention === 0
          ? 'nothing needs attention'
          : attention === 1
            ? '1 needs attention'
            : `${attention} need attention`
  return [account, counted, ledger].join(' · ')
}

const HOW_TO_SEARCH = [
  'Type what you know of a payment; all words must fit: an ID, an order or a part of it, a customer ID or a part of it, an e-mail or its beginning, a name or a part of it, a telephone number, a card brand or its last four digits, an amount (208, 208.00, 208,00, €208), a status or a state (declined, refunded, refund failed), a currency, or a time (today, last week, november, 2026-11-20, 7d).',
  'order: customer: email: name: phone: amount: last4: before a word force one.',
]
const HELP: Readonly<Record<Help, readonly string[]>> = {
  keys: [
    ...HOW_TO_SEARCH,
    'Enter: opens the chosen row. If there is none: reads payments in full, which have e-mails and names.',
    'Up, down, page up, page down, home, end: choose a row.',
    'Ctrl-T: what needs attention, and back.',
    'Ctrl-O: searches further back, and reads payments in full.',
    'Ctrl-R: reads again.',
    'Ctrl-P: another profile. Ctrl-L: what was done here.',
    'Ctrl-U: empties the search. Ctrl-W: takes back its last word.',
    'Escape: empties the search, then leaves.',
  ],
  lines: [
    ...HOW_TO_SEARCH,
    'A number such as #1: opens that row.',
    't: what needs attention, and back.',
    'o: searches further back.',
    'r: reads again.',
    'p: another profile. l: what was done here.',
    'An empty line: empties the search, then leaves.',
  ],
}

const keysOfHelp = (state: ListState): readonly ScreenKey[] => [
  ...(state.help === 'lines' ? keysOf(state).filter(({ isCtrl }) => isCtrl) : []),
  { name: 'escape', words: 'back' },
]

function keysOf({ asked }: ListState): readonly ScreenKey[] {
  const isAttention = asked.view === 'attention'
  const escape = isAttention ? 'payments' : asked.text === '' ? 'leave' : 'clear'
  return [
    { name: 'return', words: 'open' },
    { name: 'r', isCtrl: true, words: 'read again' },
    { name: 't', isCtrl: true, words: isAttention ? 'payments' : 'attention' },
    ...(isAttention
      ? []
      : [{ name: 'o', isCtrl: true, words: asked.isWide ? 'less wide' : 'wider' } as const]),
    { name: 'p', isCtrl: true, words: 'profile' },
    { name: 'l', isCtrl: true, words: 'done here' },
    { name: '?', words: 'keys' },
    { name: 'escape', words: escape },
  ]
}
