// Measures the list of payments in Chromium with 100,000 payments: first paint, frames while scrolling, search and filters.
// Usage: node bench/pages.mjs [COUNT]   CHROMIUM=/usr/bin/chromium; FOLDER=/path keeps the filled sandbox for another run
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'
import { fill } from './pages/fill.mjs'

const PAY = fileURLToPath(new URL('../bin/pay.cjs', import.meta.url))
const count = Number(process.argv[2] ?? 100_000)
const folder = mkdtempSync(join(tmpdir(), 'pay-bench-pages-'))
const data = process.env['FOLDER'] ?? join(folder, 'data')
const env = {
  PATH: process.env['PATH'],
  HOME: folder,
  PAY_CONFIG_DIR: join(folder, 'c'),
  PAY_STATE_DIR: join(folder, 's'),
}

const server = spawn(process.execPath, [PAY, 'sandbox', 'start', '--port', '0', '--json', '--data', data], {
  env,
  stdio: ['ignore', 'pipe', 'ignore'],
})
const [line] = await new Promise((resolve) =>
  createInterface(server.stdout).once('line', (text) => resolve([text])),
)
const { url } = JSON.parse(line)
let browser
try {
  const before = await countRecords()
  if (before < count) await fill(url, count - before)
  browser = await chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await page.addInitScript(watchLongTasks)
  const paints = []
  for (let round = 0; round < 5; round += 1) {
    await page.goto(`${url}/dashboard/payments`)
    await page.locator('tbody a').first().waitFor()
    await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
    paints.push(
      await page.evaluate(() => ({
        paint: performance.getEntriesByName('first-contentful-paint')[0].startTime,
        rows: performance.now(),
      })),
    )
  }
  console.log(`${await countRecords()} records; load ${loadavg()[0].toFixed(1)}`)
  console.log(
    `first paint ${median(paints.map(({ paint }) => paint))} ms, rows ${median(paints.map(({ rows }) => rows))} ms (medians of 5)`,
  )
  await page.waitForTimeout(1000)
  for (const [name, step] of [
    ['slow scroll, 60 px a frame', 60],
    ['fast scroll, 600 px a frame', 600],
    ['jumps through the list, 50,000 px a frame', 50_000],
  ]) {
    const { frames, tasks } = await page.evaluate(scroll, { step, frames: 300 })
    const sorted = frames.toSorted((a, b) => a - b)
    const at = (part) => sorted[Math.floor((sorted.length - 1) * part)].toFixed(1)
    console.log(
      `${name}: frames p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms; over 50 ms: ${frames.filter((ms) => ms > 50).length} of ${frames.length}; long tasks of the page: ${tasks}`,
    )
  }
  await page.evaluate(() => window.scrollTo(0, 0))
  console.log(`scrolled to the end, rows after ${await timed(page, () => window.scrollTo(0, 1e9))} ms`)
  await page.evaluate(() => window.scrollTo(0, 0))
  for (const [name, value] of [
    ['Status', 'DECLINED'],
    ['Currency', 'JPY'],
    ['Method', 'PAYPAL'],
  ]) {
    const began = performance.now()
    const answered = page.waitForResponse(/sandbox\/records/)
    await page.getByRole('combobox', { name }).selectOption(value)
    await answered
    console.log(`filter ${name} ${value}: ${Math.round(performance.now() - began)} ms to the answer`)
    await page.getByRole('combobox', { name }).selectOption('')
    await page.waitForTimeout(500)
  }
  const began = performance.now()
  const answered = page.waitForResponse(/search=customer-17/)
  await page.getByRole('searchbox').fill('customer-17')
  await answered
  console.log(
    `search: ${Math.round(performance.now() - began)} ms to the answer, 150 of them waiting for more typing`,
  )
} finally {
  await browser?.close()
  server.kill()
  rmSync(folder, { recursive: true, force: true })
}

async function countRecords() {
  const response = await fetch(`${url}/sandbox/records?limit=0`, { headers: { 'x-api-key': 'sandbox_all' } })
  return (await response.json()).total
}

/** In the page: counts the tasks that take longer than 50 ms. */
function watchLongTasks() {
  globalThis.longTasks = 0
  new PerformanceObserver((list) => {
    globalThis.longTasks += list.getEntries().length
  }).observe({ type: 'longtask' })
}

/** In the page: scrolls a step in each frame and measures the time between frames. */
function scroll({ step, frames }) {
  return new Promise((resolve) => {
    const times = []
    const before = globalThis.longTasks
    let last
    const next = (now) => {
      if (last !== undefined) times.push(now - last)
      last = now
      if (times.length === frames) return resolve({ frames: times, tasks: globalThis.longTasks - before })
      const end = document.documentElement.scrollHeight - window.innerHeight
      window.scrollTo(0, window.scrollY + step > end ? 0 : window.scrollY + step)
      requestAnimationFrame(next)
    }
    requestAnimationFrame(next)
  })
}

async function timed(page, act) {
  const began = performance.now()
  await page.evaluate(act)
  await page.waitForFunction(() => {
    const rows = document.querySelectorAll('tbody tr')
    return rows.length > 0 && document.querySelectorAll('tbody tr.loading').length === 0
  })
  return Math.round(performance.now() - began)
}

function median(values) {
  return Math.round(values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)])
}
