import type { Instrument } from '../api/instrument.ts'
import { plainPaint } from '../output/paint.ts'
import { renderTable } from '../output/table.ts'
import type { RenderOptions } from '../output/view.ts'
import { expiryText, methodText } from './method.ts'
import { CHOICE_MARK } from './payment-choices.ts'
import { shownWords, withNote } from './shown.ts'
import { shownMinute } from './when.ts'

/** Saved methods to choose from, by what people know of them: their tokens are values that nobody has to see. */
export function methodChoices(
  methods: readonly Instrument[],
  { width, timeZone }: Pick<RenderOptions, 'width' | 'timeZone'>,
) {
  const offered = methods.filter(({ token }) => token !== undefined && token !== '')
  const [heading = '', ...lines] = renderTable(
    [
      { title: 'METHOD', text: (method) => withNote(methodText(method), expiryText(method)) ?? 'unknown' },
      { title: 'DEFAULT', text: (method) => (method.default === true ? '✓ default' : ''), drop: 1 },
      { title: 'DESCRIPTION', text: ({ description }) => shownWords(description) ?? '', drop: 2 },
      { title: 'CREATED', text: ({ createdAt }) => shownMinute(createdAt, timeZone) ?? '', drop: 3 },
    ],
    offered,
    { width: width === undefined ? undefined : width - CHOICE_MARK, paint: plainPaint, linesOnly: true },
  ).split('\n')
  return {
    heading,
    choices: offered.map(({ token = '' }, at) => ({ value: token, text: lines[at] ?? '' })),
  }
}
