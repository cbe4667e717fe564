import { useEffect, useRef } from 'preact/hooks'
import { Announcement } from './parts/announcement.tsx'
import { Link } from './parts/link.tsx'
import { PageFrame } from './parts/page-frame.tsx'
import { Empty } from './parts/states.tsx'
import { KeysButton, KeysDialog, useKeys } from './parts/keys.tsx'
import { decode, navigate, path, steps } from './parts/router.ts'
import { PAGES } from './pages.tsx'
import { useSignal } from '@preact/signals'
import { keyQuestion } from '../page/service.ts'
import type { KeyQuestion } from '../page/service.ts'
import { Dialog } from './parts/dialog.tsx'
import { TextField } from './parts/fields.tsx'
import { live } from '../page/live.ts'

/** The navigation and the page that the address names. */
export function Frame() {
  const main = useRef<HTMLElement>(null)
  /** The step that leads to the search. */
  const searchStep = useRef<number | undefined>(undefined)
  const step = steps.value
  const focusSearch = () => {
    const field = main.current?.querySelector('[aria-keyshortcuts="/"]')
    if (field instanceof HTMLElement) field.focus()
    return field !== null
  }
  useKeys(() => {
    if (focusSearch()) return
    navigate('/dashboard/payments')
    searchStep.current = steps.value
  })
  useEffect(() => {
    if (step === searchStep.current && focusSearch()) return
    // Where a full page load would put a screen reader.
    if (step > 0) main.current?.querySelector('h1')?.focus({ preventScroll: true })
  }, [step])
  const found = findPage(path.value)
  return (
    <>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <Navigation current={found?.page.link} />
      <main ref={main} id="content" tabIndex={-1}>
        {found === undefined ? <UnknownPage /> : found.page.draw(found.id)}
      </main>
      <Announcement />
      <KeysDialog />
      <KeyDialog />
    </>
  )
}

function findPage(address: string) {
  const [, folder, id = ''] = /^(.+\/)([^/]+)$/.exec(address) ?? []
  const page = PAGES.find(({ path: known }) => known === address || known === folder)
  return page && { page, id: decode(id) }
}

const UnknownPage = () => (
  <PageFrame title="No such page">
    <Empty title="The dashboard has no page with this address.">
      <p>
        <Link to="/dashboard/payments">Show all payments</Link>
      </p>
    </Empty>
  </PageFrame>
)

/** Asks for a key where the sandbox refuses the published one. */
function KeyDialog() {
  const question = keyQuestion.value
  return question === undefined ? null : <Form question={question} />
}

function Form({ question: { wasRefused, answer } }: { readonly question: KeyQuestion }) {
  const key = useSignal('')
  const use = () => {
    if (key.value.trim() !== '') answer(key.value.trim())
  }
  return (
    <Dialog title="API key" onClose={() => answer(undefined)} confirm={{ label: 'Use key', act: use }}>
      <p>
        This sandbox has its own keys. <code>pay sandbox start</code> printed them. The page keeps the key
        until you reload it.
      </p>
      <TextField
        label="API key"
        type="password"
        value={key.value}
        onChange={(value) => (key.value = value)}
        onEnter={use}
        problem={wasRefused ? 'The sandbox refused this key.' : undefined}
        isFirst
        isRequired
      />
    </Dialog>
  )
}

const LINKS = PAGES.filter(({ link }, index) => PAGES.findIndex((other) => other.link === link) === index)

const STATES = {
  connecting: 'Connecting…',
  live: 'Connected',
  broken: 'Not connected',
} as const

const Navigation = ({ current }: { readonly current: string | undefined }) => (
  <nav aria-label="Dashboard">
    <p class="brand">
      pay <span>sandbox</span>
    </p>
    <ul>
      {LINKS.map(({ link, path: to }) => (
        <li key={link}>
          <Link to={to} isCurrent={link === current}>
            {link}
          </Link>
        </li>
      ))}
    </ul>
    <KeysButton />
    <p class={`connection ${live.state.value}`} role="status">
      {STATES[live.state.value]}
    </p>
  </nav>
)
