import { routerOf } from '../../api/router.ts'
import { closest } from '../../text/suggest.ts'
import { Problem } from '../problem.ts'
import { methodNotAllowed } from '../request/route.ts'
import type { Control } from './control.ts'
import { CONTROLS } from './controls.ts'

const findRoute = routerOf(CONTROLS)

/** @throws {Problem} if no control has this path and method, or if it isn't for client tokens */
export function findControl(
  method: string,
  path: string,
  { isCheckout }: { readonly isCheckout: boolean },
): { readonly control: Control; readonly params: Readonly<Record<string, string>> } {
  const { match, allowed } = findRoute(method, path)
  if (isCheckout && match?.row.isForCheckout !== true)
    throw new Problem('Forbidden', 'A client token may not use this control.')
  if (match !== undefined) return { control: match.row, params: match.params }
  if (allowed.length > 0) throw methodNotAllowed(path, method, allowed)
  const suggestion = closest(
    path,
    CONTROLS.map((row) => row.path),
  )
  throw new Problem(
    'NotFound',
    `No control has the path ${path}.`,
    suggestion === undefined ? {} : { recoverySuggestion: `Did you mean ${suggestion}?` },
  )
}
