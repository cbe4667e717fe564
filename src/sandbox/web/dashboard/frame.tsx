import { useEffect, useRef } from 'preact/hooks'
import { KeyDialog } from './key-dialog.tsx'
import { Navigation } from './navigation.tsx'
import { Announcement } from './parts/announcement.tsx'
import { Link } from './parts/link.tsx'
import { PageFrame } from './parts/page-frame.tsx'
import { Empty } from './parts/states.tsx'
import { matchPath, path, steps } from './parts/router.ts'
import { PAGES } from './pages.tsx'

/** The navigation and the page that the address names. */
export function Frame() {
  const main = useRef<HTMLElement>(null)
  const step = steps.value
  useEffect(() => {
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
        {found === undefined ? <UnknownPage /> : found.page.draw(found.rest ?? '')}
      </main>
      <Announcement />
      <KeyDialog />
    </>
  )
}

function findPage(address: string) {
  for (const page of PAGES) {
    const match = matchPath(page.path, address)
    if (match !== undefined) return { page, rest: match.rest }
  }
  return undefined
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
