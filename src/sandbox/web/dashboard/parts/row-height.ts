import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** As in the style sheets of long lists: two lines on a phone. */
const PHONE = '(max-width: 40rem)'
const [ONE_LINE, TWO_LINES] = [36, 60]

export function useRowHeight(): number {
  const isPhone = useSignal(window.matchMedia(PHONE).matches)
  useEffect(() => {
    const media = window.matchMedia(PHONE)
    const read = () => (isPhone.value = media.matches)
    media.addEventListener('change', read)
    return () => media.removeEventListener('change', read)
  }, [])
  return isPhone.value ? TWO_LINES : ONE_LINE
}
