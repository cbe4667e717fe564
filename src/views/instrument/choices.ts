import type { Instrument } from '../../api/models/instrument.ts'
import type { RenderOptions } from '../../output/view.ts'
import { choiceLines } from '../choice-table.ts'
import { methodWithExpiry } from '../payment-method.ts'
import { shownWords } from '../format-fields.ts'
import { shownMinute } from '../format-time.ts'

/** Saved methods to choose from, by what people know of them: their tokens are values that nobody has to see. */
export function methodChoices(
  methods: readonly Instrument[],
  { width, timeZone }: Pick<RenderOptions, 'width' | 'timeZone'>,
) {
  const offered = methods.filter(({ token }) => token !== undefined && token !== '')
  const { heading, lines } = choiceLines(
    [
      { title: 'METHOD', text: (method) => methodWithExpiry(method) ?? 'unknown' },
      { title: 'DEFAULT', text: (method) => (method.default === true ? '✓ default' : ''), drop: 1 },
      { title: 'DESCRIPTION', text: ({ description }) => shownWords(description) ?? '', drop: 2 },
      { title: 'CREATED', text: ({ createdAt }) => shownMinute(createdAt, timeZone) ?? '', drop: 3 },
    ],
    offered,
    width,
  )
  return {
    heading,
    choices: offered.map(({ token = '' }, at) => ({ value: token, text: lines[at] ?? '' })),
  }
}
