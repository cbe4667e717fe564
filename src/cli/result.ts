import type { Schema } from '../api/schema.ts'
import { stringifyJson } from '../json/json.ts'
import { renderResult } from '../output/formats.ts'
import type { OutputFormat } from '../output/output-format.ts'
import type { RenderOptions, View } from '../output/view.ts'
import { withoutNulls } from './nulls.ts'

export interface Presentation {
  readonly format: OutputFormat
  readonly query: string | undefined
  readonly options: RenderOptions
}

/** What a command returns: data with a way to show it. */
export interface Result {
  readonly exitCode: number
  readonly render: (presentation: Presentation) => Promise<string>
  /** For stderr: what is odd about the answer. */
  readonly warning: string | undefined
}

/** Data of our own and its view. */
export function resultOf<T>(result: T, view: View<T>, exitCode = 0): Result {
  const text = stringifyJson(result, 2)
  return {
    exitCode,
    warning: undefined,
    render: ({ format, query, options }) =>
      renderResult({ format, rawText: text, result, view, query, options }),
  }
}

/** How an operation's answers are shown: by its view where they fit the schema, raw with a warning where they do not. */
export function show<T>(response: Schema<T>, view: View<T>) {
  return ({ text, json }: { readonly text: string; readonly json: unknown }): Result => {
    const parsed = response().safeParse(withoutNulls(json))
    const result = parsed.success ? parsed.data : undefined
    return {
      exitCode: 0,
      warning: parsed.success
        ? undefined
        : 'The answer is not of the shape that is expected here; it is shown as it came.',
      render: ({ format, query, options }) =>
        renderResult({ format, rawText: text, result, view, query, options }),
    }
  }
}

/** An answer of no known shape: shown as it came. */
export const showRaw = ({ text }: { readonly text: string }): Result => ({
  exitCode: 0,
  warning: undefined,
  render: ({ format, query, options }) =>
    renderResult({ format, rawText: text, result: undefined, view: textView(() => ''), query, options }),
})

/** The view of something that has no id and is shown as words. */
export const textView = <T>(render: (result: T, options: RenderOptions) => string): View<T> => ({
  ids: () => [],
  csvColumns: [],
  render,
})
