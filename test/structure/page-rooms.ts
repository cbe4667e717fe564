/** Pages run in a browser: they share what only computes. */
const PAGE = [
  'api',
  'api/facts',
  'api/actions',
  'api/models',
  'json',
  'money',
  'insights',
  'sandbox/web/page',
] as const
/** Only types: what the controls answer. */
const ANSWERS = [
  'sandbox/controls',
  'sandbox/domain',
  'sandbox/domain/payment',
  'sandbox/domain/scenarios',
  'sandbox/domain/store',
  'sandbox/faults',
  'sandbox/log',
] as const
const CHECKOUT_PAGE = [...PAGE, ...ANSWERS, 'sandbox/web/checkout/service'] as const
/** What the terminal says about a payment, the dashboard says in the same words. */
const DASHBOARD_PARTS = [...PAGE, ...ANSWERS, 'output', 'views', 'views/payment'] as const
const DASHBOARD_PAGE = [...DASHBOARD_PARTS, 'sandbox/web/dashboard/parts'] as const

/** The rooms of the web pages, for `map.ts`. */
export const PAGE_ROOMS: Readonly<Record<string, readonly string[]>> = {
  'sandbox/web/page': ['api', 'money', 'json', 'sandbox/log'],
  'sandbox/web/checkout/service': PAGE,
  'sandbox/web/checkout/card': CHECKOUT_PAGE,
  'sandbox/web/checkout/summary': [...CHECKOUT_PAGE, 'sandbox/web/checkout/card'],
  'sandbox/web/checkout/payment': [...CHECKOUT_PAGE, 'sandbox/web/checkout/summary'],
  'sandbox/web/checkout/view': [
    ...CHECKOUT_PAGE,
    'sandbox/web/checkout/card',
    'sandbox/web/checkout/summary',
    'sandbox/web/checkout/payment',
  ],
  'sandbox/web/checkout': [...CHECKOUT_PAGE, 'sandbox/web/checkout/payment', 'sandbox/web/checkout/view'],
  'sandbox/web/component': PAGE,
  'sandbox/web/dashboard/parts': DASHBOARD_PARTS,
  'sandbox/web/dashboard/payments': DASHBOARD_PAGE,
  'sandbox/web/dashboard/payment': DASHBOARD_PAGE,
  'sandbox/web/dashboard/insights': DASHBOARD_PAGE,
  'sandbox/web/dashboard/requests': DASHBOARD_PAGE,
  'sandbox/web/dashboard/sessions': DASHBOARD_PAGE,
  'sandbox/web/dashboard/methods': DASHBOARD_PAGE,
  'sandbox/web/dashboard/faults': DASHBOARD_PAGE,
  'sandbox/web/dashboard/clock': DASHBOARD_PAGE,
  'sandbox/web/dashboard/scenarios': DASHBOARD_PAGE,
  'sandbox/web/dashboard/settings': DASHBOARD_PAGE,
  'sandbox/web/dashboard': [
    ...DASHBOARD_PAGE,
    'sandbox/web/dashboard/payments',
    'sandbox/web/dashboard/payment',
    'sandbox/web/dashboard/insights',
    'sandbox/web/dashboard/requests',
    'sandbox/web/dashboard/sessions',
    'sandbox/web/dashboard/methods',
    'sandbox/web/dashboard/faults',
    'sandbox/web/dashboard/clock',
    'sandbox/web/dashboard/scenarios',
    'sandbox/web/dashboard/settings',
  ],
}
