import { useEffect, useRef } from 'preact/hooks'
import { live } from '../page/live.ts'
import { Link } from './parts/link.tsx'
import { PAGES } from './pages.tsx'

const LINKS = PAGES.filter(({ link }, index) => PAGES.findIndex((other) => other.link === link) === index)

const STATES = {
  connecting: 'Connecting…',
  live: 'Live',
  broken: 'Not connected',
} as const

export function Navigation({ current }: { readonly current: string | undefined }) {
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    // On a phone, the links are a line that scrolls sideways.
    const link = list.current?.querySelector('[aria-current]')
    if (link instanceof HTMLElement && list.current !== null)
      list.current.scrollLeft = link.offsetLeft - list.current.offsetLeft
  }, [current])
  return (
    <nav aria-label="Dashboard">
      <p class="brand">
        pay <span>sandbox</span>
      </p>
      <ul ref={list}>
        {LINKS.map(({ link, path }) => (
          <li key={link}>
            <Link to={path} isCurrent={link === current}>
              {link}
            </Link>
          </li>
        ))}
      </ul>
      <p class={`connection ${live.state.value}`} role="status" aria-label="Connection">
        {STATES[live.state.value]}
      </p>
    </nav>
  )
}
