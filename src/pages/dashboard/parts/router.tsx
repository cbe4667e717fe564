import { batch, computed, signal } from '@preact/signals'
import { isRecord } from '../../../json/is-record.ts'
import { writeQuery } from '../../page/send.ts'
import type { ComponentChildren } from 'preact'

/** The address of the page: all of its state that a reload, a bookmark and the back button keep. */

export type Query = Readonly<Record<string, string>>

const readPath = () => window.location.pathname.replace(/(?<=^\/|[^/])\/+$/, '')
const readQuery = (): Query => Object.fromEntries(new URLSearchParams(window.location.search))

const currentPath = signal(readPath())
const currentQuery = signal(readQuery())

/** The path of the page, such as `/dashboard/payments`; percent-encoded. */
export const path = computed(() => currentPath.value)
/** The parameters of the page, decoded. */
export const query = computed(() => currentQuery.value)

/** Increases with each navigation, so that the frame moves the focus. */
export const steps = signal(0)

// Pages that load their rows scroll back themselves.
window.history.scrollRestoration = 'manual'
window.addEventListener('popstate', readAddress)
window.addEventListener('pagehide', keepScroll)

/** Notes how far the page is scrolled, for Back and for a reload. */
function keepScroll(): void {
  window.history.replaceState({ scrollY: window.scrollY }, '')
}

/** Scrolls to where this address was left. Call it when the rows of the page are there. */
export function scrollBack(): void {
  const state: unknown = window.history.state
  const scrollY = isRecord(state) ? Number(state['scrollY'] ?? 0) : 0
  window.scrollTo(0, scrollY)
}

function readAddress(): void {
  const before = currentPath.value
  batch(() => {
    currentPath.value = readPath()
    currentQuery.value = readQuery()
    if (currentPath.value !== before) steps.value += 1
  })
}

/** Goes to another page of the dashboard: `/dashboard/payments/p1?from=…`. */
export function navigate(to: string): void {
  keepScroll()
  if (to !== window.location.pathname + window.location.search) window.history.pushState(null, '', to)
  window.scrollTo(0, 0)
  readAddress()
}

/**
 * Changes parameters of the address; undefined and empty ones are removed. `push` adds a step for the back button: for a
 * choice, but not for each typed character.
 */
export function setQuery(
  changes: Readonly<Record<string, string | undefined>>,
  how: 'push' | 'replace',
): void {
  const next = Object.entries({ ...currentQuery.value, ...changes }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  const url = `${window.location.pathname}${writeQuery(Object.fromEntries(next))}`
  if (url === window.location.pathname + window.location.search) return
  if (how === 'push') keepScroll()
  if (how === 'push') window.history.pushState(null, '', url)
  else window.history.replaceState(window.history.state, '', url)
  readAddress()
}

/** Decodes a part of the address; one that can't be decoded stays as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}

interface LinkProps {
  readonly to: string
  readonly children: ComponentChildren
  readonly class?: string
  readonly isCurrent?: boolean
  /** Called in place of following the link. */
  readonly open?: () => void
}

/** A link within the dashboard that loads no page. With a modifier key, the browser opens it as usual. */
export function Link({ to, children, class: className, isCurrent = false, open }: LinkProps) {
  return (
    <a
      href={to}
      class={className}
      aria-current={isCurrent ? 'page' : undefined}
      onClick={(event) => {
        if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        if (open === undefined) navigate(to)
        else open()
      }}
    >
      {children}
    </a>
  )
}

export const paymentAddress = (id: string): string => `/dashboard/payments/${encodeURIComponent(id)}`
