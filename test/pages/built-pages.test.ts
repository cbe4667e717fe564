import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { send } from '../sandbox/serve/over-http.ts'
import { BUILT_PAGES, openPages } from './served-pages.ts'

/** The pages as they are built and published. */

const FILES = readdirSync(BUILT_PAGES)
const textOf = (file: string) => readFileSync(join(BUILT_PAGES, file), 'utf8')
const ofKind = (extension: string) => FILES.filter((file) => file.endsWith(extension))

/** Compressed JavaScript, in bytes. */
const LIMITS = { 'dashboard.js': 90_000, 'checkout.js': 35_000, 'checkout-component.js': 5_000 } as const

describe('scripts', () => {
  test('are one file for each page', () => {
    expect(ofKind('.js')).toEqual(Object.keys(LIMITS).toSorted())
  })

  test.each(Object.entries(LIMITS))('%s has at most %i bytes when compressed', (file, limit) => {
    expect(gzipSync(textOf(file), { level: 9 }).length).toBeLessThanOrEqual(limit)
  })

  test.each(ofKind('.js'))('%s makes no code or markup from text', (file) => {
    expect(textOf(file)).not.toMatch(/\beval\(|new Function\(|insertAdjacentHTML|document\.write|outerHTML/)
  })

  test.each(ofKind('.js'))('%s keeps nothing in the browser', (file) => {
    expect(textOf(file)).not.toMatch(/document\.cookie|indexedDB|localStorage\.setItem\([^)]*(?:key|token)/i)
  })
})

describe.each(ofKind('.html'))('%s', (file) => {
  const html = textOf(file)

  test('asks only for files that the server has', async () => {
    const { server } = await openPages()
    const asked = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url = '']) => url)
    expect(asked.length).toBeGreaterThan(2)
    for (const url of asked.filter((given) => given !== 'data:,')) {
      expect(url).toMatch(/^\/assets\/[\w.-]+$/)
      expect(await send(server.url, { method: 'GET', url, headers: {}, body: undefined })).toMatchObject({
        status: 200,
      })
    }
  })

  test('has no inline script or style', () => {
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|javascript:/i)
  })
})

test.each(ofKind('.css'))('%s loads nothing', (file) => {
  expect(textOf(file)).not.toMatch(/@import|@font-face|url\((?!["']?data:)/i)
})
