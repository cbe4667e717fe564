import { expect, test } from 'vitest'
import { holdsOf, fitOf, nearEmails } from '../../../src/views/search/match.ts'
import { readWords } from '../../../src/views/search/words.ts'

const now = new Date('2026-11-25T12:00:00.000Z')

test.each<[word: string, facts: object, fits: boolean]>([
  ['muller', { names: ['Jörg Müller'] }, true],
  ['MÜLLER', { names: ['Jorg Muller'] }, true],
  ['grossmann', { names: ['Ida Großmann'] }, true],
  ['lukasz', { names: ['Łukasz Øster'] }, true],
  ['müllers', { names: ['Jörg Müller'] }, false],
  ['jose@', { email: 'josé@example.com' }, true],
  ['2026–11', { orderId: '2026-11-7' }, true],
  ['015123456789', { phone: '+49 151 23456789' }, true],
  ['+4915123456789', { phone: '0151/23456789' }, true],
  ['004915123456789', { phone: '+49 151 23456789' }, true],
  ['7654321', { phone: '+49 151 23456789' }, false],
  ['2345678', { phone: '+49 151 23456789' }, true],
  ['phone:0301', { phone: '(030) 1234567' }, true],
  ['phone:030', {}, false],
])('%s and %j', (word, facts, fits) => {
  const { query } = readWords([word], { now })
  const holds = query && holdsOf(query, { id: 'p1', brands: [], last4: undefined, isWhole: true, ...facts })
  expect(holds && fitOf(holds, [false])).toBe(fits ? 'fits' : 'no')
})

test.each<[typed: string, email: string, isNear: boolean]>([
  ['ana.moreua@example.com', 'ana.moreau@example.com', true],
  ['ana.morau@example.com', 'ana.moreau@example.com', true],
  ['ana.moreaau@example.com', 'ana.moreau@example.com', true],
  ['ana.noreau@example.com', 'ana.moreau@example.com', true],
  ['Ana.Moreua@example.com', 'ana.moreau@Example.com', true],
  ['email:ana@gmial.com', 'ana@gmail.com', true],
  ['ana@gmail.con', 'ana@gmail.com', true],
  ['ana.moreua@gmial.com', 'ana.moreau@gmail.com', false],
  ['anna.moreua@example.com', 'ana.moreau@example.com', false],
  ['moreua', 'moreau', false],
  ['customer:ana@gmial.com', 'ana@gmail.com', false],
])('%s and the e-mail %s', (typed, email, isNear) => {
  const { query } = readWords([typed], { now })
  const facts = { id: 'p1', brands: [], last4: undefined, isWhole: true, email }
  const holds = query && holdsOf(query, facts)
  expect(holds && fitOf(holds, [false])).toBe('no')
  expect(query && holds && nearEmails(query, [{ holds, email }])?.emails).toEqual(
    isNear ? [email] : undefined,
  )
})
