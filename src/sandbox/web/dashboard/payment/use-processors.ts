import { call } from '../../page/service.ts'
import { useFetched } from '../parts/use-fetched.ts'
import type { Processor } from './action-forms.ts'

const NONE: readonly Processor[] = []

/** The processors of the sandbox; none until they are loaded. */
export function useProcessors(isNeeded: boolean): readonly Processor[] {
  const { data } = useFetched(
    async (signal) =>
      isNeeded
        ? (
            await call<{ processors: readonly Processor[] }>('GET', '/sandbox/scenarios', undefined, {
              signal,
            })
          ).processors
        : NONE,
    [isNeeded],
  )
  return data ?? NONE
}
