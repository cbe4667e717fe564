import { meantBy } from '../../text/suggest.ts'
import type { Noun, Tree } from '../command/spec.ts'

/** Verbs of other tools, and ours for the same thing. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  ls: ['list'],
  show: ['get'],
  view: ['get'],
  describe: ['explain', 'get', 'show'],
  get: ['show'],
  status: ['get'],
  list: ['status'],
  new: ['create', 'add'],
  create: ['add'],
  edit: ['update', 'set'],
  update: ['set', 'adjust'],
  run: ['apply'],
  retry: ['resolve'],
  charge: ['create'],
  settle: ['capture'],
  void: ['cancel'],
  rm: ['delete', 'remove'],
  del: ['delete', 'remove'],
  delete: ['remove'],
  remove: ['delete'],
  save: ['vault'],
  mv: ['rename'],
}

/** Words that people try in place of a noun, or with one, and the commands for it here. */
const LEADS: Readonly<Record<string, readonly string[]>> = {
  'payment search': ['find'],
  'payment redeem': ['loyalty redeem'],
  // The service lists neither; the ledger has what was sent from here.
  'loyalty list': ['ops list'],
  'session list': ['ops list', 'payment list'],
  'session cancel': ['payment cancel'],
  search: ['find'],
  show: ['payment get', 'find'],
  undo: ['payment cancel', 'payment refund'],
  void: ['payment cancel'],
  status: ['payment explain'],
  '3ds': ['payment explain', 'payment resume'],
  order: ['find', 'payment explain'],
  customer: ['find', 'instrument list'],
  card: ['find', 'instrument list'],
  // Its payments are the customer's; what ends it here is deleting the saved method.
  subscription: ['find', 'instrument list', 'instrument delete'],
  points: ['loyalty redeem', 'loyalty refund'],
  history: ['ops list'],
  handover: ['ops report'],
  audit: ['ops report', 'ops verify'],
  chargeback: ['reconcile'],
  dispute: ['reconcile'],
  login: ['profile add'],
  auth: ['profile add'],
  setup: ['profile add'],
  init: ['profile add', 'ledger init'],
  logout: ['profile remove'],
  config: ['profile set'],
}

/** The commands that a word in place of a noun, or a noun and a word, stand for. */
export const commandsForWord = (word: string, tree: Tree): readonly string[] =>
  Object.hasOwn(LEADS, word.toLowerCase())
    ? (LEADS[word.toLowerCase()] ?? []).filter((command) => {
        const [noun = '', verb] = command.split(' ')
        return verb === undefined ? tree[noun] !== undefined : tree[noun]?.verbs?.[verb] !== undefined
      })
    : []

const MOST_SUGGESTED = 3

/** The verb of this noun that a typed word means: a synonym, or a similar spelling. */
export function verbFor(word: string, noun: Noun): string | undefined {
  const verbs = Object.keys(noun.verbs ?? {})
  return verbs.find((verb) => isSameVerb(word, verb)) ?? meantBy(word, verbs)
}

/** Commands that a verb without its noun may mean: `payment refund` for `refund`. Those of payments come first. */
export function commandsForVerb(word: string, tree: Tree): readonly string[] {
  const all = Object.entries(tree)
    .toSorted(([one], [other]) => Number(other === 'payment') - Number(one === 'payment'))
    .flatMap(([name, noun]) =>
      noun.verbs === undefined
        ? [{ verb: name, command: name }]
        : Object.keys(noun.verbs).map((verb) => ({ verb, command: `${name} ${verb}` })),
    )
  const commandsWhere = (isMeant: (verb: string) => boolean) =>
    all.filter(({ verb }) => isMeant(verb)).map(({ command }) => command)
  const exact = commandsWhere((verb) => verb === word.toLowerCase())
  const found = exact.length > 0 ? exact : commandsWhere((verb) => isSameVerb(word, verb))
  return found.slice(0, MOST_SUGGESTED)
}

/** The commands whose verb has a similar spelling. */
export function commandsSpelledLike(word: string, tree: Tree): readonly string[] {
  const verb = meantBy(
    word,
    Object.values(tree).flatMap(({ verbs = {} }) => Object.keys(verbs)),
  )
  return verb === undefined ? [] : commandsForVerb(verb, tree)
}

/** Whether a word is the verb, its plural or a synonym. */
function isSameVerb(word: string, verb: string): boolean {
  const typed = word.toLowerCase()
  const isSynonym = Object.hasOwn(SYNONYMS, typed) && SYNONYMS[typed]?.includes(verb) === true
  return typed === verb || typed === `${verb}s` || isSynonym
}

/** Lists commands in a sentence: `"pay payment refund" or "pay loyalty refund"`. */
export const quotedCommands = (commands: readonly string[], prefix = 'pay'): string =>
  commands.map((command) => `"${prefix} ${command}"`).join(' or ')
