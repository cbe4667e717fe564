import { parseResponse } from '../../api/parse-response.ts'
import type { Schema } from '../../api/schema.ts'
import { stringifyJson } from '../../json/json.ts'
import type { PayError } from '../../errors.ts'
import {
  longJsonOf,
  longListParts,
  renderLongList,
  renderLongObject,
  renderResult,
} from '../../output/render-result.ts'
import type { LongObject } from '../../output/render-result.ts'
import type { OutputFormat } from '../../output/output-format.ts'
import type { RenderOptions, View } from '../../output/view.ts'
import { withoutNulls } from './nulls.ts'
import { isRecord } from '../../json/is-record.ts'

interface Presentation {
  readonly format: OutputFormat
  readonly query: string | undefined
  /** Called if the query selects nothing. */
  readonly onEmptyQuery?: () => void
  readonly options: RenderOptions
}

/** What a command returns: data and how to render it. */
export interface Result {
  readonly exitCode: number
  readonly render: (presentation: Presentation) => Promise<string>
  /** What `render` would return, in parts; undefined if the result is short. May fail on the way. */
  readonly parts?: (
    presentation: Pick<Presentation, 'format' | 'query'>,
  ) => Iterable<string> | AsyncIterable<string> | undefined
  /** Whether it lists what was read. */
  readonly isList?: boolean
  /** A warning about the response, for stderr. */
  readonly warning?: string | undefined
  readonly running?: Running
  /** The error to print on stderr after the result, if the exit code alone does not say what happened. */
  readonly problem?: PayError
}

/** A command that keeps running after its result, such as a server. */
export interface Running {
  /** Resolves when the command should end. */
  readonly ended: Promise<void>
  /** Called exactly once, even if the result could not be printed. */
  readonly stop: () => Promise<void>
}

/** A result of our own data and its view. */
export const resultOf = <T>(result: T, view: View<T>, exitCode = 0): Result =>
  resultAsWritten(stringifyJson(result, 2), result, view, exitCode)

/** Like `resultOf`, with the JSON text as given, which may contain a response of the service unchanged. */
export function resultAsWritten<T>(text: string, result: T, view: View<T>, exitCode = 0): Result {
  return {
    exitCode,
    isList: Array.isArray(result) || view.itemsKey !== undefined,
    render: (presentation) => renderResult({ ...presentation, rawText: text, result, view }),
  }
}

/** A result of our own with a list that may be very long. */
export const longObjectOf = <T>(object: LongObject, result: T, view: View<T>, exitCode = 0): Result => ({
  exitCode,
  render: (presentation) => renderLongObject(object, { ...presentation, result, view }),
  parts: (presentation) => longJsonOf(object, presentation),
})

/** A result of our own list, which may be very long: each entry as one line of JSON. */
export const longListOf = <Row>(lines: readonly string[], view: View<readonly Row[]>): Result => ({
  exitCode: 0,
  isList: true,
  render: (presentation) => renderLongList({ ...presentation, lines, view }),
  parts: (presentation) => longListParts(lines, view.csvColumns ?? [], presentation),
})

/** Shows a response with its view if it fits the schema, and otherwise unchanged with a warning. */
export function show<T>(response: Schema<T>, view: View<T>) {
  return ({ text, json }: { readonly text: string; readonly json: unknown }): Result => {
    const result = parseResponse(response, withoutNulls(json))
    const isUnexpected = json !== undefined && (result === undefined || isErrorEnvelope(json))
    return {
      exitCode: 0,
      isList: view.itemsKey !== undefined,
      warning: isUnexpected
        ? 'The response does not have the expected shape; it is shown unchanged.'
        : undefined,
      render: (presentation) =>
        result !== undefined
          ? renderResult({ ...presentation, rawText: text, result, view })
          : showRaw({ text, json }, view.csvColumns).render(presentation),
    }
  }
}

const isErrorEnvelope = (json: unknown): boolean => isRecord(json) && isRecord(json['error'])

/** Shows a response of unknown shape unchanged; as CSV, with the given columns first. */
export const showRaw = (
  { text, json }: { readonly text: string; readonly json: unknown },
  csvColumns: readonly string[] = [],
): Result => ({
  exitCode: 0,
  render: (presentation) => {
    const ids = idsIn(json)
    // A script that asks for the ID gets it, no matter what else the response contains.
    const result = presentation.format === 'id' && ids.length > 0 ? json : undefined
    const view = { ...textView<unknown>(() => ''), ids: () => ids, itemsKey: 'data', csvColumns } as const
    return renderResult({ ...presentation, rawText: text, result, view })
  },
})

/** The ID fields of sessions, payments, records and saved methods, in order of precedence. */
const ID_FIELDS = ['clientToken', 'id', 'paymentId', 'token'] as const

function idsIn(json: unknown): readonly string[] {
  const data = isRecord(json) ? json['data'] : json
  const resources: readonly unknown[] = Array.isArray(data) ? data : [json]
  return resources.flatMap((resource) => {
    const ids = ID_FIELDS.map((field) => (isRecord(resource) ? resource[field] : undefined))
    const id = ids.find((value) => typeof value === 'string' && value !== '')
    return typeof id === 'string' ? [id] : []
  })
}

/** The view of plain text without an ID. */
export const textView = <T>(render: (result: T, options: RenderOptions) => string): View<T> => ({
  ids: () => [],
  csvColumns: [],
  render,
})
