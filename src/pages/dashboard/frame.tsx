import { useEffect, useRef } from 'preact/hooks'
import { Announcement } from './parts/announcement.tsx'
import { Link, decode, navigate, path, steps } from './parts/router.tsx'
import { NothingThere } from './parts/page-frame.tsx'
import { KeysButton, KeysDialog, useKeys } from './parts/keys.tsx'
import { useSignal } from '@preact/signals'
import { keyQuestion } from '../page/service.ts'
import type { KeyQuestion } from '../page/service.ts'
import { Dialog } from './parts/dialog.tsx'
import { TextField } from './parts/fields.tsx'
import { live } from '../page/live.ts'
import type { JSX } from 'preact'
import { ClockPage } from './clock/clock-page.tsx'
import { FaultsPage } from './faults/faults-page.tsx'
import { InsightsPage } from './insights/insights-page.tsx'
import { MethodsPage } from './methods/methods-page.tsx'
import { PaymentPage } from './payment/payment-page.tsx'
import { PaymentsPage } from './payments/payments-page.tsx'
import { RequestsPage } from './requests/requests-page.tsx'
import { ScenariosPage } from './scenarios/scenarios-page.tsx'
import { SessionsPage } from './sessions/sessions-page.tsx'
import { SettingsPage } from './settings/settings-page.tsx'

interface Page {
  /** The address; with `/` at the end, an ID follows. */
  readonly path: string
  /** The link in the navigation that belongs to it. */
  readonly link: string
  readonly draw: (id: string) => JSX.Element
}

/** Every page of the dashboard. The first page of each link is where it leads, in the order of the navigation. */
const PAGES: readonly Page[] = [
  { path: '/dashboard/payments', link: 'Payments', draw: () => <PaymentsPage /> },
  { path: '/dashboard', link: 'Payments', draw: () => <PaymentsPage /> },
  { path: '/dashboard/payments/', link: 'Payments', draw: (id) => <PaymentPage key={id} id={id} /> },
  { path: '/dashboard/insights', link: 'Insights', draw: () => <InsightsPage /> },
  { path: '/dashboard/requests', link: 'Requests', draw: () => <RequestsPage /> },
  { path: '/dashboard/sessions', link: 'Sessions', draw: () => <SessionsPage /> },
  { path: '/dashboard/methods', link: 'Saved methods', draw: () => <MethodsPage /> },
  { path: '/dashboard/faults', link: 'Faults', draw: () => <FaultsPage /> },
  { path: '/dashboard/clock', link: 'Clock', draw: () => <ClockPage /> },
  { path: '/dashboard/scenarios', link: 'Scenarios', draw: () => <ScenariosPage /> },
  { path: '/dashboard/settings', link: 'Settings', draw: () => <SettingsPage /> },
]

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
  <NothingThere title="No such page" why="The dashboard has no page with this address." />
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
