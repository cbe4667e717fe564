import type { JSX } from 'preact'
import type { TestCard } from '../service/details.ts'
import { groupDigits } from './typed-digits.ts'

export interface TestCardListProps {
  readonly cards: readonly TestCard[]
  readonly isDisabled: boolean
  readonly onChosen: (number: string) => void
}

/** A button for each test card, named by its number, which fills the form. */
export function TestCardList({ cards, isDisabled, onChosen }: TestCardListProps): JSX.Element | null {
  if (cards.length === 0) return null
  return (
    <section class="test-cards" aria-labelledby="test-cards-title">
      <h3 id="test-cards-title">Test cards</h3>
      <ul>
        {cards.map(({ number, what }) => (
          <li key={number}>
            <button
              type="button"
              class="test-card"
              disabled={isDisabled}
              aria-describedby={`test-card-${number}`}
              onClick={() => onChosen(number)}
            >
              {/* Separated by style: the name stays the plain number. */}
              {groupDigits(number)
                .split(' ')
                .map((group, index) => (
                  <span key={index}>{group}</span>
                ))}
            </button>
            <span class="what" id={`test-card-${number}`}>
              {what.replaceAll('`', '')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
