import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { browserTest } from '../support/browser.ts'
import { BUILT_PAGES, openPages } from './served-pages.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

test('the package has every file of the pages', () => {
  const packed: { files: { path: string }[] }[] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: ROOT,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  const paths = packed[0]?.files.map(({ path }) => path)
  expect(paths).toEqual(expect.arrayContaining(readdirSync(BUILT_PAGES).map((file) => `dist/web/${file}`)))
})

const VIEWS = 'payments insights requests sessions methods faults clock scenarios settings'.split(' ')

browserTest.for(VIEWS)(
  '/dashboard/%s loads nothing from elsewhere and breaks no policy',
  async (view, { browser }) => {
    const service = await openPages()
    await service.ok('POST', '/payments', {
      paymentMethodToken: 'tok_visa',
      orderId: '<b>1</b>',
      currencyCode: 'EUR',
      amount: 1000,
    })
    const page = await browser.open(service.at(`/dashboard/${view}`))
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('load')
  },
)
