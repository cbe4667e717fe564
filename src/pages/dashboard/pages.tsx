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

export interface Page {
  /** With `/` at the end, the ID of something follows. */
  readonly path: string
  /** The link in the navigation that belongs to it. */
  readonly link: string
  readonly draw: (id: string) => JSX.Element
}

/** Every page of the dashboard. The first page of each link is where it leads, in the order of the navigation. */
export const PAGES: readonly Page[] = [
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
