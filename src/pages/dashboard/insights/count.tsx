import { groupThousands } from '../../../text/words.ts'
import { Link } from '../parts/router.tsx'

interface CountProps {
  readonly count: number
  /** The payments that it counts. */
  readonly to: string
}

/** A number of payments that leads to them. */
export const Count = ({ count, to }: CountProps) =>
  count === 0 ? <>0</> : <Link to={to}>{groupThousands(count)}</Link>
