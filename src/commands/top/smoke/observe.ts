import { findRoute } from '../../../api/table.ts'
import type { Context } from '../../../cli/command/context.ts'
import type { Tree } from '../../../cli/command/spec.ts'
import type { Account } from '../../../client/config/resolve-account.ts'
import { EXIT, PayError, interruptedBy } from '../../../errors.ts'
import type { HttpRequest, HttpResponse } from '../../../client/http/transport-port.ts'
import { isRecord } from '../../../json/is-record.ts'
import { firstFacts, runStep } from './run-step.ts'
import type { RanStep } from './run-step.ts'
import { stepsOf } from './steps.ts'

/** The type of each value in a body, by its path; all entries of a list share one. Values aren't kept. */
export type Shape = Readonly<Record<string, string>>

/** One call of the smoke test, and how a service answered it. */
export interface ObservedCall {
  readonly step: string
  readonly operation: string
  readonly status: number
  readonly errorId?: string | undefined
  readonly shape: Shape
}

interface Side {
  readonly context: Context
  readonly tree: Tree
  readonly account: Account
  readonly accountArgs: readonly string[]
  readonly token: string
}

/**
 * Runs the steps of the smoke test, and keeps how each call was answered. The sandbox is a new, empty one.
 * @throws {PayError} if the account refuses the key or can't be reached
 */
export async function observe({ context, tree, account, accountArgs, token }: Side): Promise<ObservedCall[]> {
  const transport = await context.connect(account, { isFresh: true })
  const calls = new Map<string, ObservedCall>()
  let step = ''
  const recording: Context = {
    ...context,
    connect: async () => ({
      close: async () => undefined,
      send: async (...sent) => {
        const answer = await transport.send(...sent)
        const call = observed(step, sent[0], answer)
        // After a retry, the last answer counts.
        calls.set(`${call.step} ${call.operation}`, call)
        return answer
      },
    }),
  }
  try {
    let facts = firstFacts(context, token)
    for (const planned of stepsOf('token')) {
      if (context.interruption.stop.aborted) throw interruptedBy(context.interruption.stop)
      step = planned.title
      const ran = await runStep({ context: recording, tree, accountArgs }, planned, facts)
      const answers = [...calls.values()].filter((call) => call.step === step)
      if (ran.shown.exitCode !== 0 && answers.every(({ status }) => status === 401)) throw notCompared(ran)
      facts = { ...facts, ...ran.found }
    }
  } finally {
    await transport.close()
  }
  return [...calls.values()]
}

/** Without an answer, or with a key that is refused, there is nothing to compare. */
const notCompared = ({ shown: { exitCode, says }, errorCode = 'internal' }: RanStep): PayError =>
  new PayError(
    errorCode,
    Object.values(EXIT).find((code) => code === exitCode) ?? EXIT.internal,
    `The account can't be compared: ${says}`,
    { hint: 'Run pay smoke on this account first.' },
  )

function observed(step: string, { method, url }: HttpRequest, { status, body }: HttpResponse): ObservedCall {
  const { pathname } = new URL(url)
  const json = parsed(body)
  const error = isRecord(json) && isRecord(json['error']) ? json['error'] : {}
  const errorId = error['errorId']
  return {
    step,
    operation: findRoute(method, pathname).match?.operation.id ?? `${method} ${pathname}`,
    status,
    ...(typeof errorId === 'string' ? { errorId } : {}),
    shape: json === undefined ? { $: 'not JSON' } : shapeOf(json),
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function shapeOf(body: unknown): Shape {
  const shape = new Map<string, Set<string>>()
  const visit = (value: unknown, path: string): void => {
    const types = shape.get(path) ?? new Set()
    shape.set(path, types.add(typeOf(value)))
    if (Array.isArray(value)) for (const entry of value) visit(entry, `${path}[]`)
    else if (isRecord(value))
      for (const [name, inner] of Object.entries(value)) visit(inner, `${path}.${name}`)
  }
  visit(body, '$')
  return Object.fromEntries([...shape].map(([path, types]) => [path, [...types].toSorted().join(' or ')]))
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value
