import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceResponse } from '../answers/response.ts'
import type { ServiceRequest } from '../request/service-request.ts'

/** The web pages: the dashboard, the checkout and its component. */
export interface Pages {
  /** Undefined for requests that aren't for a page. */
  respond(request: ServiceRequest): ServiceResponse | undefined
}

const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

const FILES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/dashboard': ['dashboard.html', HTML],
  '/checkout': ['checkout.html', HTML],
  '/checkout.js': ['checkout-component.js', SCRIPT],
  '/assets/dashboard.js': ['dashboard.js', SCRIPT],
  '/assets/dashboard.css': ['dashboard.css', STYLE],
  '/assets/checkout.js': ['checkout.js', SCRIPT],
  '/assets/checkout.css': ['checkout.css', STYLE],
}

/** A quick test, because most requests are for the service. */
const PAGE_PREFIX = /^\/(?:dashboard|checkout|assets)(?=[/?.]|$)/

/** `folder` holds the built pages. Files are read when they are first asked for. */
export function pagesIn(folder: string): Pages {
  const read = new Map<string, string>()
  return {
    respond: ({ url, method }) => {
      if (method !== 'GET' || !PAGE_PREFIX.test(url)) return undefined
      const path = url.replace(/[?#].*$/s, '')
      const [file, type] = FILES[/^\/dashboard(?:\/|$)/.test(path) ? '/dashboard' : path] ?? []
      if (file === undefined || type === undefined) return undefined
      const body = read.get(file) ?? readFileSync(join(folder, file), 'utf8')
      read.set(file, body)
      return {
        status: 200,
        headers: {
          'content-type': type,
          'cache-control': 'no-cache',
          'referrer-policy': 'no-referrer',
          'x-content-type-options': 'nosniff',
          'content-security-policy':
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        },
        body,
      }
    },
  }
}
