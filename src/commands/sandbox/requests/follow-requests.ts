import { once } from 'node:events'
import type { Invocation } from '../../../cli/command/invocation.ts'
import { resultOf } from '../../../cli/command/result.ts'
import type { Result } from '../../../cli/command/result.ts'
import { MAX_TIMER_MS } from '../../../duration.ts'
import { EXIT, interruptedBy } from '../../../errors.ts'
import { matchesPattern } from '../../../sandbox/faults/pattern.ts'
import type { Change } from '../../../sandbox/log/change-feed.ts'
import { MAX_LOGGED_REQUESTS } from '../../../sandbox/log/logged-request.ts'
import type { LoggedRequest } from '../../../sandbox/log/logged-request.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { followedRequestView } from '../../../views/sandbox/requests.ts'
import { withSandbox } from '../local-sandbox.ts'

/** Prints requests as they arrive, until the command is interrupted or nobody reads any more. */
export async function followRequests(invocation: Invocation, on: string | undefined): Promise<Result> {
  const { context } = invocation
  const { stop } = context.interruption
  const print = await printer(invocation)
  const isOver = () => stop.aborted || context.stdout.isClosed?.() === true
  await withSandbox(invocation, async (sandbox) => {
    let wake = new AbortController()
    const listener = sandbox.changes.listen(undefined, () => wake.abort())
    // The feed's own timer doesn't keep the process alive.
    const alive = setInterval(() => undefined, MAX_TIMER_MS)
    while (!isOver()) {
      wake = new AbortController()
      for (let change = listener.next(); change !== undefined; change = listener.next())
        for (const request of await requestsIn(change, sandbox))
          if (on === undefined || matchesPattern(on, request.method, request.path)) await print(request)
      const woken = AbortSignal.any([stop, wake.signal])
      if (!isOver() && !woken.aborted) await once(woken, 'abort')
    }
    listener.close()
    clearInterval(alive)
  })
  const exitCode = stop.aborted ? interruptedBy(stop).exitCode : EXIT.done
  return { exitCode, warning: undefined, render: async () => '' }
}

/** After the log was emptied, everything in it is new. */
async function requestsIn(change: Change, sandbox: Sandbox): Promise<readonly LoggedRequest[]> {
  if (change.kind === 'requests') return change.entries
  if (change.kind === 'changed') return []
  const log = await sandbox.requests.view({ limit: MAX_LOGGED_REQUESTS, on: undefined })
  const last = log.findIndex(({ requestId }) => change.position.endsWith(`.${requestId}`))
  return last === -1 ? [] : log.slice(last).toReversed()
}

async function printer({ context, settings, renderOptions }: Invocation) {
  const { query } = settings
  const format = settings.format === 'json' ? 'ndjson' : settings.format
  const options = await renderOptions()
  let isFirst = true
  return async (request: LoggedRequest) => {
    const text = await resultOf([request], followedRequestView).render({ format, query, options })
    // Only the first line of CSV is a header.
    await context.stdout.write(format === 'csv' && !isFirst ? text.replace(/^.*\n/, '') : text)
    isFirst = false
  }
}
