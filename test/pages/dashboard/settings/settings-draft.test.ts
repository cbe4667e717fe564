import { expect, test } from 'vitest'
import { DEFAULT_SETTINGS } from '../../../../src/api/checkout-settings.ts'
import { CHECKOUT_METHODS } from '../../../../src/sandbox/domain/scenarios/checkout-methods.ts'
import { draftOf, settingsOf } from '../../../../src/pages/dashboard/settings/settings-draft.ts'
import type { SettingsDraft } from '../../../../src/pages/dashboard/settings/settings-draft.ts'

const offer = (draft: SettingsDraft, isOffered: boolean): SettingsDraft => ({
  ...draft,
  methods: draft.methods.map((method) => (method.type === 'KLARNA' ? { ...method, isOffered } : method)),
})

test('a method that was saved unticked and is ticked again is offered for its own currencies', () => {
  const without = settingsOf(offer(draftOf(DEFAULT_SETTINGS, CHECKOUT_METHODS), false))
  expect(without.methods.map(({ type }) => type)).not.toContain('KLARNA')
  const again = settingsOf(offer(draftOf(without, CHECKOUT_METHODS), true))
  expect(again.methods).toContainEqual({ type: 'KLARNA', currencies: ['EUR'], countries: [] })
})
