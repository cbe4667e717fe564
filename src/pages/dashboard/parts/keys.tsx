import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Dialog } from './dialog.tsx'

const KEYS = [
  ['/', 'Search'],
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row. In the search: open the payment if it is the only one found'],
  ['r', 'Refund the payment shown'],
  ['Esc', 'Close a dialog'],
  ['?', 'Show these keys'],
] as const

const isShown = signal(false)

export const KeysButton = () => (
  <button type="button" class="plain" aria-keyshortcuts="?" onClick={() => (isShown.value = true)}>
    Keys <kbd aria-hidden="true">?</kbd>
  </button>
)

export function KeysDialog() {
  if (!isShown.value) return null
  return (
    <Dialog title="Keys" onClose={() => (isShown.value = false)}>
      <dl class="keys">
        {KEYS.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}

/** The keys of every page. An element with `aria-keyshortcuts` says itself which key it has. */
export function useKeys(search: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
      if (target instanceof Element && target.matches('input:not([type="checkbox"]), select')) return
      if (document.querySelector('dialog[open]') !== null) return
      const act = actionOf(key, search)
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}

function actionOf(key: string, search: () => void): (() => void) | undefined {
  if (key === '/') return search
  const step = Object.hasOwn(ROW_STEPS, key) ? ROW_STEPS[key] : undefined
  if (step !== undefined) {
    const row = document.activeElement?.closest('tbody tr')
    if (row !== null && row !== undefined) return () => focusLink(step(row))
    // The arrow keys scroll the page.
    return /^[jk]$/.test(key) ? focusFirstRow : undefined
  }
  if (!/^[r?]$/.test(key)) return undefined
  const element = document.querySelector(`[aria-keyshortcuts="${key}"]`)
  return element instanceof HTMLElement ? () => element.click() : undefined
}

type RowStep = (row: Element) => Element | null | undefined

const next: RowStep = (row) => row.nextElementSibling
const previous: RowStep = (row) => row.previousElementSibling
const ROW_STEPS: Readonly<Record<string, RowStep>> = {
  j: next,
  k: previous,
  ArrowDown: next,
  ArrowUp: previous,
  Home: (row) => row.parentElement?.firstElementChild,
  End: (row) => row.parentElement?.lastElementChild,
}

export const focusFirstRow = (): void => focusLink(document.querySelector('.list tbody tr'))

function focusLink(row: Element | null | undefined): void {
  row?.querySelector('a')?.focus()
}
