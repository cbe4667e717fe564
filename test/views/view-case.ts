import { describe, expect, test } from 'vitest'
import { plainPaint } from '../../src/output/paint.ts'
import type { View } from '../../src/output/view.ts'

/** One result in its view; `name` is the golden file. */
export interface ViewCase {
  readonly name: string
  readonly ids: readonly string[]
  readonly shownIds: readonly string[]
  readonly render: (width: number) => string
}

export const optionsAt = (width: number) => ({ paint: plainPaint, width, timeZone: 'America/New_York' })

export function viewCase<T>(name: string, view: View<T>, result: T, ids: readonly string[]): ViewCase {
  return { name, ids, shownIds: view.ids(result), render: (width) => view.render(result, optionsAt(width)) }
}

/** Compares each case with its golden file at two widths, and its ids. */
export function testViews(cases: readonly ViewCase[], goldenFolder: string): void {
  describe.each([80, 60])('at %i columns', (width) => {
    test.each(cases)('shows $name', async ({ name, render }) => {
      await expect(`${render(width)}\n`).toMatchFileSnapshot(`${goldenFolder}/${name}-${width}.txt`)
    })
  })

  test.each(cases)('lists the ids of $name', ({ shownIds, ids }) => {
    expect(shownIds).toEqual(ids)
  })
}

/** A terminal control sequence and a bidirectional override. */
export const HOSTILE_TEXT = '\u001B[2J\u202E'

export function expectNoControlCharacters(text: string): void {
  expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
}
