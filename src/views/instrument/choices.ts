import type { Instrument } from '../../api/models/instrument.ts'
import type { RenderOptions } from '../../output/view.ts'
import { renderChoiceTable } from '../choice-table.ts'
import { formatMethodWithExpiry } from '../payment-method.ts'
import { formatFreeText } from '../format-fields.ts'
import { formatMinute } from '../format-time.ts'

/** Saved methods to choose from, described without their tokens. */
export function renderMethodChoices(
  methods: readonly Instrument[],
  { width, timeZone }: Pick<RenderOptions, 'width' | 'timeZone'>,
) {
  const offered = methods.filter(({ token }) => token !== undefined && token !== '')
  const { heading, lines } = renderChoiceTable(
    [
      { title: 'METHOD', text: (method) => formatMethodWithExpiry(method) ?? 'unknown' },
      { title: 'DEFAULT', text: (method) => (method.default === true ? '✓ default' : ''), drop: 1 },
      { title: 'DESCRIPTION', text: ({ description }) => formatFreeText(description) ?? '', drop: 2 },
      { title: 'CREATED', text: ({ createdAt }) => formatMinute(createdAt, timeZone) ?? '', drop: 3 },
    ],
    offered,
    width,
  )
  return {
    heading,
    choices: offered.map(({ token = '' }, at) => ({ value: token, text: lines[at] ?? '' })),
  }
}
