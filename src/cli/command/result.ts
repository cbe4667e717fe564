import { parseResponse } from '../../api/parse-response.ts'
import type { Schema } from '../../api/schema.ts'
import { stringifyJson } from '../../json/json.ts'
import type { PayError } from '../../errors.ts'
import { renderLongList, renderResult } from '../../output/render-result.ts'
import type { LongList } from '../../output/render-result.ts'
import type { OutputFormat } from '../../output/output-format.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { withoutNulls } from './nulls.ts'
import { isRecord } from '../../is-record.ts'

export interface Presentation {
  readonly format: OutputFormat
  readonly query: string | undefined
  /** Called where the query selects nothing. */
  readonly onEmptyQuery?: () => void
  readonly options: RenderOptions
}

/** What a command returns: data with a way to show it. */
export interface Result {
  readonly exitCode: number
  readonly render: (presentation: Presentation) => Promise<string>
  /** For stderr: what is odd about the answer. */
  readonly warning: string | undefined
  readonly stay?: Stay
  /** What is told on stderr after the answer, where the exit code alone would not say it. */
  readonly problem?: PayError
}

/** Of a command that goes on after it has answered, as a server does. */
export interface Stay {
  /** Resolves when it is to end. */
  readonly over: Promise<void>
  /** Called once, also where the answer could not be told: nobody would know of what goes on. */
  readonly leave: () => Promise<void>
}

/** Data of our own and its view. */
export const resultOf = <T>(result: T, view: View<T>, exitCode = 0): Result =>
  resultAsWritten(stringifyJson(result, 2), result, view, exitCode)

/** The same with its JSON text, which may hold an answer of the service as it came. */
export function resultAsWritten<T>(text: string, result: T, view: View<T>, exitCode = 0): Result {
  return {
    exitCode,
    warning: undefined,
    render: (presentation) => renderResult({ ...presentation, rawText: text, result, view }),
  }
}

/** A list of our own that may be very long. */
export const longListOf = <Row>(list: LongList<Row>, view: View<readonly Row[]>): Result => ({
  exitCode: 0,
  warning: undefined,
  render: (presentation) => renderLongList({ ...presentation, list, view }),
})

/** How an operation's answers are shown: by its view where they fit the schema, raw with a warning where they do not. */
export function show<T>(response: Schema<T>, view: View<T>) {
  return ({ text, json }: { readonly text: string; readonly json: unknown }): Result => {
    const result = parseResponse(response, withoutNulls(json))
    const isExpected = result !== undefined && !isErrorEnvelope(json)
    return {
      exitCode: 0,
      warning: isExpected
        ? undefined
        : 'The answer is not of the shape that is expected here; it is shown as it came.',
      render: (presentation) =>
        result !== undefined
          ? renderResult({ ...presentation, rawText: text, result, view })
          : showRaw({ text, json }).render(presentation),
    }
  }
}

const isErrorEnvelope = (json: unknown): boolean => isRecord(json) && isRecord(json['error'])

/** An answer of no known shape: shown as it came. */
export const showRaw = ({ text, json }: { readonly text: string; readonly json: unknown }): Result => ({
  exitCode: 0,
  warning: undefined,
  render: (presentation) => {
    const ids = idsIn(json)
    // A script that asks for the id gets it, whatever else the answer holds.
    const result = presentation.format === 'id' && ids.length > 0 ? json : undefined
    const view = { ...textView<unknown>(() => ''), ids: () => ids, itemsKey: 'data' } as const
    return renderResult({ ...presentation, rawText: text, result, view })
  },
})

/** Where resources keep their own id: sessions, payments, records, saved methods. */
const ID_FIELDS = ['clientToken', 'id', 'paymentId', 'token'] as const

function idsIn(json: unknown): readonly string[] {
  if (!isRecord(json)) return []
  const { data } = json
  const resources: readonly unknown[] = Array.isArray(data) ? data : [json]
  return resources.flatMap((resource) => {
    const ids = ID_FIELDS.map((field) => (isRecord(resource) ? resource[field] : undefined))
    const id = ids.find((value) => typeof value === 'string' && value !== '')
    return typeof id === 'string' ? [id] : []
  })
}

/** The view of something that has no id and is shown as words. */
export const textView = <T>(render: (result: T, options: RenderOptions) => string): View<T> => ({
  ids: () => [],
  csvColumns: [],
  render,
})
