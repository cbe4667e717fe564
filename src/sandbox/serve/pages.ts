import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { problemResponse } from '../answers/response.ts'
import type { ServiceResponse } from '../answers/response.ts'
import { methodNotAllowed } from '../request/route.ts'
import type { ServiceRequest } from '../request/service-request.ts'
import { isLoopbackHost } from './allowed-hosts.ts'
import { pageHeaders } from './page-headers.ts'
import type { PageKind } from './page-headers.ts'

/** The web pages: the dashboard, the checkout and its component. */
export interface Pages {
  /** The response of a page; undefined for requests that aren't for one. */
  respond(request: ServiceRequest, requestId: () => string): ServiceResponse | undefined
}

const HTML = 'text/html; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const STYLE = 'text/css; charset=utf-8'

interface PageFile {
  readonly file: string
  readonly type: string
  readonly kind: PageKind
}

const FILES: Readonly<Record<string, PageFile>> = {
  '/dashboard': { file: 'dashboard.html', type: HTML, kind: 'document' },
  '/checkout': { file: 'checkout.html', type: HTML, kind: 'framed document' },
  '/checkout.js': { file: 'checkout-component.js', type: SCRIPT, kind: 'component' },
  '/assets/dashboard.js': { file: 'dashboard.js', type: SCRIPT, kind: 'asset' },
  '/assets/dashboard.css': { file: 'dashboard.css', type: STYLE, kind: 'asset' },
  '/assets/checkout.js': { file: 'checkout.js', type: SCRIPT, kind: 'asset' },
  '/assets/checkout.css': { file: 'checkout.css', type: STYLE, kind: 'asset' },
}

/** A quick test for pages, because most requests are for the service. */
const PAGE_PREFIX = /^\/(?:dashboard|checkout|assets)(?=[/?.]|$)/

/** The file at a path. Every address below `/dashboard` is a view of the same page. */
const fileAt = (path: string): PageFile | undefined => {
  const route = /^\/dashboard(?:\/|$)/.test(path) ? '/dashboard' : path
  return Object.hasOwn(FILES, route) ? FILES[route] : undefined
}

export interface PageOptions {
  /** The folder of the built pages. Files are read when they are first asked for. */
  readonly folder: string
  /** Origins that may frame the checkout, besides those of this machine. */
  readonly allowedOrigins?: readonly string[]
}

export function pagesIn({ folder, allowedOrigins = [] }: PageOptions): Pages {
  const made = new Map<string, ServiceResponse>()
  const respond = ({ file, type, kind }: PageFile, isTrustworthy: boolean): ServiceResponse => {
    const name = `${file} ${isTrustworthy}`
    const known = made.get(name)
    if (known !== undefined) return known
    const headers = { 'content-type': type, ...pageHeaders(kind, { origins: allowedOrigins, isTrustworthy }) }
    const response = { status: 200, headers, body: readFileSync(join(folder, file), 'utf8') }
    made.set(name, response)
    return response
  }
  return {
    respond: ({ url, method, headers }, requestId) => {
      if (!PAGE_PREFIX.test(url)) return undefined
      const path = url.replace(/[?#].*$/s, '')
      const file = fileAt(path)
      if (file === undefined) return undefined
      return method === 'GET'
        ? respond(file, isLoopbackHost(headers['host'] ?? ''))
        : problemResponse(methodNotAllowed(path, method, ['GET']), requestId())
    },
  }
}
