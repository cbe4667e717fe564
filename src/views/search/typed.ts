import { joinDay, joinSpan } from './spans.ts'
import type { Joined } from './spans.ts'
import { stateNamed, statusNamed } from './states.ts'

/**
 * What people type and paste, as words of the search: without the quotes, brackets and invisible characters around a value, and
 * with the parts of one value together. `•••• 4242` is `last4:4242`, `1 234,56` is `1234,56`, `28 Nov` is `2026-11-28`.
 */
export function joinTyped(typed: readonly string[], now: Date): readonly string[] {
  const words = typed.map(clean).filter((word) => word !== '')
  const joined: string[] = []
  for (let at = 0; at < words.length;) {
    const rest = words.slice(at, at + MOST_PARTS)
    const [word, parts] = firstJoined(rest, now) ?? [joinQuoted(rest[0] ?? '', now), 1]
    joined.push(word)
    at += parts
  }
  return joined
}

/** The most words that are parts of one value: `•••• •••• •••• 4242`, or a telephone number. */
const MOST_PARTS = 6

/** The parts of one value may be one argument: `'last week'`. */
function joinQuoted(word: string, now: Date): string {
  const words = word.split(/\s+/)
  const [joined, parts] = firstJoined(words.slice(0, MOST_PARTS), now) ?? []
  return joined !== undefined && words.length > 1 && parts === words.length ? joined : word
}

const firstJoined = (words: readonly string[], now: Date): Joined | undefined => {
  for (const join of [joinPrefix, joinLast4, joinState, joinDay, joinSpan, joinTelephone, joinAmount]) {
    const joined = join(words, now)
    if (joined !== undefined) return joined
  }
  return undefined
}

/** Zero-width and soft characters, and marks of the writing direction. */
const INVISIBLE = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g
const OPENING = new Set(`"'\`([{<“”„‟‘’‚«»‹›`)
const CLOSING = new Set(`"'\`)]}>“”„‟‘’«»‹›,;`)

function clean(typed: string): string {
  const value = cleanValue(typed)
  const [, prefix, forced = ''] = /^(order|customer|email|name|phone|amount|last4):(.+)$/is.exec(value) ?? []
  return prefix === undefined ? value : `${prefix}:${cleanValue(forced)}`
}

function cleanValue(typed: string): string {
  const text = typed
    .replaceAll(INVISIBLE, '')
    .replaceAll(/[\u2010-\u2015\u2212]/g, '-')
    .trim()
  let [start, end] = [0, text.length]
  while (start < end && OPENING.has(text.charAt(start))) start += 1
  while (end > start && CLOSING.has(text.charAt(end - 1))) end -= 1
  const value = text.slice(start, end).trim()
  const [, id] = /^https?:\/\/[^?#]*\/payments\/([^/?#]+)/i.exec(value) ?? []
  return id === undefined ? value.replace(/^mailto:/i, '') : decode(id)
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const PREFIXES: Readonly<Record<string, string>> = {
  order: 'order',
  customer: 'customer',
  amount: 'amount',
  email: 'email',
  'e-mail': 'email',
  phone: 'phone',
}

/** `order: A-1` and `order A-1`; without the colon, only what has a digit or an @ is a value. */
function joinPrefix([first = '', next]: readonly string[]): Joined | undefined {
  if (next === undefined) return undefined
  const hasColon = first.endsWith(':')
  const prefix = (hasColon ? first.slice(0, -1) : first).toLowerCase()
  if (hasColon && /^(?:name|last4)$/.test(prefix)) return [`${prefix}:${next}`, 2]
  const known = Object.hasOwn(PREFIXES, prefix) ? PREFIXES[prefix] : undefined
  const isValue = hasColon || /[\d@]/.test(next)
  return known !== undefined && isValue && !next.includes(':') ? [`${known}:${next}`, 2] : undefined
}

/** `•••• 4242`, `**** **** **** 4242`, `xxxx4242`, `424242******4242`, `ending in 4242`, `last four 4242`. */
function joinLast4(words: readonly string[]): Joined | undefined {
  const [first = '', second = '', third = ''] = words
  const [, inOne] = /^(?:\d{4,8})?(?:[•●∙*…]+|[x.]{2,})-?(\d{4})$/i.exec(first) ?? []
  if (inOne !== undefined) return [`last4:${inOne}`, 1]
  const masks = words.findIndex((word) => !/^(?:[•●∙*…]+|[x.]{2,})$/i.test(word))
  if (masks > 0 && /^\d{4}$/.test(words[masks] ?? '')) return [`last4:${words[masks] ?? ''}`, masks + 1]
  const before = `${first} ${second}`.toLowerCase()
  if (/^(?:ending in|last four|last 4)$/.test(before) && /^\d{4}$/.test(third)) return [`last4:${third}`, 3]
  return /^(?:ending|last4|card)$/i.test(first) && /^\d{4}$/.test(second) ? [`last4:${second}`, 2] : undefined
}

/** `partially settled`, `refund failed` */
function joinState([first = '', second = '']: readonly string[]): Joined | undefined {
  const text = `${first} ${second}`
  const status = statusNamed(text)
  return status !== undefined || stateNamed(text) !== undefined ? [status ?? text, 2] : undefined
}

/** `+49 151 23456789`, `0151 23456789`, `(030) 1234-567`. */
function joinTelephone(words: readonly string[]): Joined | undefined {
  if (!/^(?:\+\d{1,15}|\(?\+?0[\d)/-]{1,14})$/.test(words[0] ?? '')) return undefined
  const end = words.findIndex((word, at) => at > 0 && !/^[\d()/-]{2,15}$/.test(word))
  const parts = end === -1 ? words : words.slice(0, end)
  const text = parts.join('')
  return parts.length > 1 && text.replaceAll(/\D/g, '').length >= 8 ? [text, parts.length] : undefined
}

const SIGN = /^[€$£¥]$/

/** `€ 208`, `208 €`, `1 234,56`. A first group of three digits may also be part of an order: then it isn't joined. */
function joinAmount(words: readonly string[]): Joined | undefined {
  const [first = '', second = ''] = words
  if (SIGN.test(first) && /^\d/.test(second)) {
    const [number, parts] = joinAmount(words.slice(1)) ?? [second, 1]
    return [`${first}${number}`, parts + 1]
  }
  const groups = words.findIndex((word, at) => at > 0 && !/^\d{3}$/.test(word))
  const last = groups === -1 ? undefined : words[groups]
  const isGrouped = /^[€$£¥]?\d{1,2}$/.test(first) || (groups > 1 && /^[€$£¥]?\d{3}$/.test(first))
  if (isGrouped && last !== undefined && /^\d{3}[.,]\d{1,3}[€$£¥]?$/.test(last)) {
    const number = words.slice(0, groups + 1).join('')
    const sign = words[groups + 1] ?? ''
    return SIGN.test(sign) && /\d$/.test(number) ? [`${number}${sign}`, groups + 2] : [number, groups + 1]
  }
  return /^\d[\d.,'’]*$/.test(first) && SIGN.test(second) ? [`${first}${second}`, 2] : undefined
}
