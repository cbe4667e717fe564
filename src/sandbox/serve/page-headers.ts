/** The kinds of pages, which differ in what browsers may do with them. Everything that isn't listed is forbidden. */

export type PageKind = 'document' | 'framed document' | 'component' | 'asset'

const RESOURCES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  // Images in the style sheets.
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  // Text never becomes markup or a script, even through a mistake.
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** A merchant's own page on this machine. Browsers accept no IPv6 addresses here. */
const LOOPBACK_ORIGINS = ['localhost', '*.localhost', '127.0.0.1'].flatMap((name) => [
  `http://${name}:*`,
  `https://${name}:*`,
])

const NO_FEATURES = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'serial',
  'usb',
]
  .map((feature) => `${feature}=()`)
  .join(', ')

interface PageHeaderOptions {
  /** The origins that may frame the checkout, besides those of this machine. */
  readonly origins: readonly string[]
  /** Whether the browser trusts the address of the page. It would report headers that it ignores elsewhere as errors. */
  readonly isTrustworthy: boolean
}

export function pageHeaders(
  kind: PageKind,
  { origins, isTrustworthy }: PageHeaderOptions,
): Readonly<Record<string, string>> {
  const document = isTrustworthy ? { ...DOCUMENT, ...OWN_GROUP } : DOCUMENT
  const common = {
    'cache-control': 'no-cache',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  }
  switch (kind) {
    case 'document':
      return {
        ...common,
        ...document,
        'content-security-policy': [...RESOURCES, "frame-ancestors 'none'"].join('; '),
        'cross-origin-resource-policy': 'same-origin',
        'x-frame-options': 'DENY',
      }
    case 'framed document':
      // Without X-Frame-Options, which can't name origins.
      return {
        ...common,
        ...document,
        'content-security-policy': [
          ...RESOURCES,
          ["frame-ancestors 'self'", ...LOOPBACK_ORIGINS, ...origins].join(' '),
        ].join('; '),
        'cross-origin-resource-policy': 'cross-origin',
      }
    case 'component':
      return { ...common, ...NOT_A_DOCUMENT, 'cross-origin-resource-policy': 'cross-origin' }
    case 'asset':
      return { ...common, ...NOT_A_DOCUMENT, 'cross-origin-resource-policy': 'same-origin' }
  }
}

const DOCUMENT = {
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': NO_FEATURES,
}

/** The header that gives a page that opens one of ours no reference to its window. */
const OWN_GROUP = { 'cross-origin-opener-policy': 'same-origin' }

const NOT_A_DOCUMENT = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-frame-options': 'DENY',
}

/** The headers of everything that isn't a page. A browser shows it at most as text. */
export const DATA_HEADERS = {
  ...NOT_A_DOCUMENT,
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
