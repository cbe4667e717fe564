import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Far enough down to read older rows. */
const SCROLLED_PX = 200

/** Whether the reader is further down the page. */
export function useScrolled(): boolean {
  const isScrolled = useSignal(window.scrollY > SCROLLED_PX)
  useEffect(() => {
    const read = () => (isScrolled.value = window.scrollY > SCROLLED_PX)
    window.addEventListener('scroll', read, { passive: true })
    return () => window.removeEventListener('scroll', read)
  }, [])
  return isScrolled.value
}
