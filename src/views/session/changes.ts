import { renderLiveModeWarning } from '../../output/live-mode-warning.ts'
import type { Paint, Tone } from '../../output/paint.ts'
import { renderTable } from '../../output/table.ts'
import { formatRedactedValue } from '../../output/redacted-value.ts'
import type { RenderOptions } from '../../output/view.ts'
import { formatField } from '../format-fields.ts'
import { isRecord } from '../../is-record.ts'

type Fields = Readonly<Record<string, unknown>>

/** What an update does to one field of a session. */
interface FieldChange {
  readonly kind: 'changed' | 'new' | 'cleared' | 'dropped'
  /** `customer.emailAddress`. */
  readonly path: string
  readonly now: string
  readonly after: string
}

interface Leaf {
  readonly name: string
  readonly value: unknown
}

/** Leaf values by path. */
type Leaves = ReadonlyMap<string, Leaf>

/** Fields that an update never changes: the token identifies the session, and options are fixed (spec 4.2). */
const UNCHANGEABLE = ['clientToken', 'paymentMethod.options']

/**
 * Compares the session with the body of an update, field by field. An update replaces objects as a whole (spec 4.2.3), so a
 * field of the object that the body omits is dropped.
 */
export function sessionChanges(session: unknown, body: unknown): readonly FieldChange[] {
  const before = fieldsOf(session)
  return Object.entries(toOrderForm(fieldsOf(body), before['order'])).flatMap(([name, given]) => {
    const now = leavesOf(name, before[name])
    const updated = leavesOf(name, given)
    const paths = [...new Set([...now.keys(), ...updated.keys()])].filter((path) => !isUnchangeable(path))
    return paths.flatMap((path) => {
      const isCleared = given === null || isClearedAbove(updated, path)
      const kind = kindOf(now.get(path), updated.get(path), isCleared)
      if (kind === undefined) return []
      return [{ kind, path, now: textOf(now.get(path)), after: textOf(updated.get(path)) }]
    })
  })
}

/** Converts `orderDetails` and `lineItems` (spec 2.2) to `order`. Each of the two is replaced on its own. */
function toOrderForm(body: Fields, before: unknown): Fields {
  const { orderDetails, lineItems, ...rest } = body
  const isOther = orderDetails !== undefined || lineItems !== undefined
  if (!isOther || isRecord(rest['order'])) return body
  const { lineItems: linesBefore, ...detailsBefore } = rest['order'] === null ? {} : fieldsOf(before)
  const { lineItems: linesWithin, ...details } =
    orderDetails === null ? clearAll(detailsBefore) : fieldsOf(orderDetails ?? detailsBefore)
  const lines = lineItems === undefined ? (linesWithin ?? linesBefore) : lineItems
  const order = { ...details, ...(lines === undefined ? {} : { lineItems: lines }) }
  return orderDetails === null && Object.keys(order).length === 0 ? rest : { ...rest, order }
}

const clearAll = (fields: Fields): Fields =>
  Object.fromEntries(Object.keys(fields).map((name) => [name, null]))

function kindOf(
  now: Leaf | undefined,
  updated: Leaf | undefined,
  isCleared: boolean,
): FieldChange['kind'] | undefined {
  if (updated === undefined) return isCleared ? 'cleared' : 'dropped'
  if (updated.value === null) return now === undefined || now.value === null ? undefined : 'cleared'
  if (now === undefined || now.value === null) return 'new'
  return formatRedactedValue(now.name, now.value) === formatRedactedValue(updated.name, updated.value)
    ? undefined
    : 'changed'
}

/** Whether the update clears an object that contains the field. */
const isClearedAbove = (updated: Leaves, path: string): boolean =>
  [...updated].some(
    ([above, { value }]) => value === null && (path.startsWith(`${above}.`) || path.startsWith(`${above}[`)),
  )

const textOf = (leaf: Leaf | undefined): string =>
  leaf === undefined || leaf.value === null ? '' : formatRedactedValue(leaf.name, leaf.value)

const isUnchangeable = (path: string): boolean =>
  UNCHANGEABLE.some((unchangeable) => path === unchangeable || path.startsWith(`${unchangeable}.`))

/** Every leaf value below a path; a top-level null has none. */
function leavesOf(path: string, value: unknown): Leaves {
  if (value === undefined || (value === null && !path.includes('.'))) return new Map()
  const parts: readonly (readonly [string, unknown])[] | undefined = Array.isArray(value)
    ? value.map((entry: unknown, at) => [`${path}[${at}]`, entry])
    : isRecord(value)
      ? Object.entries(value).map(([name, field]) => [`${path}.${name}`, field])
      : undefined
  if (parts === undefined || parts.length === 0)
    return new Map([[path, { name: path.replace(/^.*\./, ''), value }]])
  return new Map(parts.flatMap(([part, field]) => [...leavesOf(part, field)]))
}

const fieldsOf = (value: unknown): Fields => (isRecord(value) ? value : {})

const CHANGE_STYLES = {
  changed: { word: '~ changed', tone: 'strong' },
  new: { word: '+ new', tone: 'good' },
  cleared: { word: '- cleared', tone: 'warn' },
  dropped: { word: '! DROPPED', tone: 'bad' },
} as const satisfies Record<FieldChange['kind'], { readonly word: string; readonly tone: Tone }>

/** The preview before an update is sent. */
export function renderSessionPreview(
  preview: {
    readonly changes: readonly FieldChange[]
    readonly merges: boolean
    readonly profileName: string
    readonly mode: 'test' | 'live'
    readonly ledger: string
  },
  options: RenderOptions,
): string {
  const { profileName, mode, ledger } = preview
  return [
    ...(mode === 'live' ? [renderLiveModeWarning(formatField(profileName), options)] : []),
    `Session update on profile ${formatField(profileName)} (${mode === 'live' ? 'LIVE' : 'test'})\nLedger: ${formatField(ledger)}`,
    renderSessionChanges(preview.changes, preview, options),
  ].join('\n\n')
}

/** A table of changed fields, and a warning about dropped ones. */
export function renderSessionChanges(
  changes: readonly FieldChange[],
  { merges }: { readonly merges: boolean },
  options: RenderOptions,
): string {
  if (changes.length === 0) return 'This update changes nothing in the session.'
  const table = renderTable(
    [
      {
        title: 'CHANGE',
        text: ({ kind }) => CHANGE_STYLES[kind].word,
        tone: ({ kind }) => CHANGE_STYLES[kind].tone,
      },
      { title: 'FIELD', text: ({ path }) => formatField(path) },
      { title: 'NOW', text: ({ now }) => now, shrink: true },
      { title: 'AFTER', text: ({ after }) => after, shrink: true },
    ],
    changes,
    options,
  )
  return merges ? table : [table, ...describeDropped(changes, options.paint)].join('\n\n')
}

function describeDropped(changes: readonly FieldChange[], paint: Paint): readonly string[] {
  const dropped = changes.filter(({ kind }) => kind === 'dropped')
  if (dropped.length === 0) return []
  const objects = [...new Set(dropped.map(({ path }) => path.replace(/[.[].*/s, '')))]
  const fields = dropped.length === 1 ? '1 field' : `${dropped.length} fields`
  const words = [
    `! ${fields} will be DROPPED. An update replaces the whole of:`,
    `  ${objects.join(', ')}.`,
    '  --merge also sends their current fields.',
  ]
  return [paint(words.join('\n'), 'bad')]
}
