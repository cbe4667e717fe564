import { describe, expect, test } from 'vitest'
import type { Step } from '../../../src/cli/command/prompts-port.ts'
import {
  arrive,
  fail,
  pictureOfList,
  pressList,
  startList,
  typeText,
} from '../../../src/commands/desk/list-state.ts'
import type { ListAnswer, ListState } from '../../../src/commands/desk/list-state.ts'
import { frameOf } from '../../../src/cli/prompts/in-place.ts'
import { wordsPaint } from '../../../src/output/paint.ts'
import { widthOf } from '../../../src/output/width.ts'
import { drawn, keyOf, pressAll, stateOf } from './press-keys.ts'

const rowsOf = (ids: string) => ids.split(' ').map((id) => ({ id, paymentId: id }))

/** Rows arrive for what is asked. */
const withRows = (state: ListState, ids: string, atMs = 0): ListState =>
  stateOf(
    arrive(
      state,
      {
        asked: state.asked,
        rows: rowsOf(ids),
        render: () => ({ heading: 'ID', lines: ids.split(' ').map((text) => ({ text })) }),
        status: ['3 newest · read 12:00'],
      },
      atMs,
    ),
  )

const LIST = withRows({ ...startList(['test shop', 'this machine only'], ''), attention: 2 }, 'p1 p2 p3')

const tellAnswer = (answer: ListAnswer): string =>
  answer.kind === 'open' ? `open ${answer.row.id}` : answer.kind

const tellList = (step: Step<ListState, ListAnswer>): string => {
  if ('answer' in step) return tellAnswer(step.answer)
  const { asked, chosen } = step.state
  return [asked.view, asked.text, asked.isWide ? 'wide' : '', `again ${asked.again}`, chosen]
    .filter((part) => part !== '' && part !== 'again 0' && part !== 'payments')
    .join(' ')
}

describe('the list', () => {
  test.each([
    ['A - 1', 'A-1 p1'],
    ['A - 1 Back', 'A- p1'],
    ['A space', 'A p1'],
    ['A ^W', 'p1'],
    ['A 1 ^U', 'p1'],
    ['A Esc', 'p1'],
    ['A Esc Esc', 'leave'],
    ['Esc', 'leave'],
    ['down', 'p2'],
    ['down down down down', 'p3'],
    ['pagedown up', 'p2'],
    ['end home', 'p1'],
    ['up', 'p1'],
    ['^R', 'again 1 p1'],
    ['^O', 'wide p1'],
    ['^O ^O', 'p1'],
    ['^T', 'attention p1'],
    ['^T ^T', 'p1'],
    ['^T Esc', 'p1'],
    ['^T A', 'A p1'],
    ['^P', 'profile'],
    ['^L', 'done-here'],
    ['^Y', 'p1'],
    ['Enter', 'open p1'],
    ['down Enter', 'open p2'],
    ['^R Enter', 'open p1'],
    ['A Enter', 'A p1'],
    ['^T Enter', 'attention p1'],
  ])('after the keys %s: %s', (keys, told) => {
    expect(tellList(pressAll(LIST, pressList, keys))).toBe(told)
  })

  test.each([
    ['the only one', 'p7', 'open p7'],
    ['none of several', 'p7 p8', 'A p7'],
  ])('Enter before the rows are there opens %s', (_, ids, told) => {
    const state = stateOf(pressAll(LIST, pressList, 'A Enter'))
    const listed = { ...(LIST.listed ?? expect.unreachable()), asked: state.asked, rows: rowsOf(ids) }
    expect(tellList(arrive(state, listed, 20_000))).toBe(told)
  })

  test('? shows the keys, and any key shows the rows again', () => {
    const help = stateOf(pressAll(LIST, pressList, 'A ?'))
    expect(help.asked.text).toBe('A')
    const { rows, status } = pictureOfList(help, 97)
    expect(rows).toEqual([])
    expect(status.join(' ')).toMatch(/Ctrl-T: .* Ctrl-O: .* Escape: /)
    expect(pictureOfList(stateOf(pressAll(help, pressList, 'x')), 97)).toMatchObject({
      input: { text: 'A' },
      rows: [{ text: 'p1' }, { text: 'p2' }, { text: 'p3' }],
    })
  })

  test('? on a line of its own shows letters, which work from there', () => {
    const help = typeText(LIST, '?')
    const { status, keys } = pictureOfList(help, 97)
    expect(status.join(' ')).not.toContain('Ctrl-')
    expect(status).toContain('t: what needs attention, and back.')
    expect(keys.map(({ name }) => name)).toEqual(['r', 't', 'o', 'p', 'l', 'escape'])
    expect(stateOf(pressAll(help, pressList, '^T'))).toMatchObject({
      help: undefined,
      asked: { view: 'attention' },
    })
    expect(stateOf(pressAll(help, pressList, 'Escape'))).toMatchObject({ help: undefined })
  })

  test.each([
    ['only Enter reads in full', 'A Enter', true],
    ['what is typed on is asked of lists', 'A Enter 1', false],
    ['Ctrl-O reads in full', '^O', true],
    ['what is typed after Ctrl-O is asked of lists', '^O A', false],
  ])('%s', (_, keys, isFull) => {
    const typed = stateOf(pressAll(LIST, pressList, 'A'))
    const listed = {
      ...(LIST.listed ?? expect.unreachable()),
      asked: typed.asked,
      rows: [],
      canReadMore: true,
    }
    const empty = stateOf(arrive(typed, listed, 0))
    const state = stateOf(pressAll(keys.startsWith('A') ? empty : LIST, pressList, keys.replace(/^A /, '')))
    expect(state.asked.isFull).toBe(isFull)
  })

  test('an Enter that came before nothing was found reads in full, and opens the only match', () => {
    const typed = stateOf(pressAll(LIST, pressList, 'A Enter'))
    const listed = {
      ...(LIST.listed ?? expect.unreachable()),
      asked: typed.asked,
      rows: [],
      canReadMore: true,
    }
    const full = stateOf(arrive(typed, listed, 0))
    expect(full.asked.isFull).toBe(true)
    expect(
      tellList(arrive(full, { ...listed, asked: full.asked, rows: rowsOf('p7'), canReadMore: false }, 0)),
    ).toBe('open p7')
  })

  test('the screen is used: as many rows as it holds, and their colours', () => {
    const ids = Array.from({ length: 100 }, (_, at) => `p${at}`).join(' ')
    const tint = { text: '9', tone: 'bad' } as const
    const listed = {
      ...(LIST.listed ?? expect.unreachable()),
      rows: rowsOf(ids),
      render: () => ({ heading: 'ID', lines: ids.split(' ').map((text) => ({ text, tint })) }),
    }
    const picture = pictureOfList(
      { ...LIST, listed, chosen: 'p0', title: ['LIVE shop', 'this machine only'] },
      97,
    )
    const { above, below } = frameOf(picture, { columns: 100, rows: 40 }, wordsPaint)
    expect([...above, ...below].length).toBe(38 + 1)
    expect(above[0]).toBe('bad(LIVE)strong( shop · 2 need attention · this machine only)')
    expect(below).toContain('accent(> p0)')
    expect(below).toContain('  pbad(9)')
  })

  test('a key after Enter takes it back', () => {
    const state = stateOf(pressAll(LIST, pressList, 'A Enter 1'))
    expect(tellList({ state: withRows(state, 'p7') })).toBe('A1 p7')
  })

  test.each([
    [33, 'p3'],
    [149, 'p3'],
    [150, 'open p3'],
  ])('Enter repeated every %i ms: %s', (gapMs, told) => {
    const state = { ...LIST, chosen: 'p3', lastEnterMs: 10_000 - gapMs }
    expect(tellList(pressAll(state, pressList, 'Enter Enter Enter', gapMs))).toBe(told)
  })

  test.each([
    ['the chosen row has moved down', 'p0 p1 p2', 0, 'open p1'],
    ['it has gone', 'p8 p9', 0, 'again 1 p8'],
    ['it has gone, and 299 ms have passed', 'p8 p9', 299, 'again 1 p8'],
    ['it has gone, and 300 ms have passed', 'p8 p9', 300, 'open p8'],
  ])('Enter when %s', (_, ids, ms, told) => {
    const again = stateOf(pressAll(LIST, pressList, '^R'))
    const state = withRows(again, ids, 20_000)
    expect(tellList(pressList(state, keyOf('Enter', 20_000 + ms)))).toBe(told)
  })

  test('rows and failures that were asked for earlier change nothing', () => {
    const state = stateOf(pressAll(LIST, pressList, 'A'))
    const late = { ...(LIST.listed ?? expect.unreachable()), rows: rowsOf('p9') }
    expect(arrive(state, late, 0)).toEqual({ state })
    expect(fail(state, LIST.asked, ['Offline'])).toEqual({ state })
  })

  test.each([
    ['being read', (state: ListState) => state, 'Reading … The rows are older: 3 newest · read 12:00'],
    ['refused', (state: ListState) => stateOf(fail(state, state.asked, ['Offline.'])), 'Offline.'],
  ])('while rows are %s, the older ones stay, dimmed, with their time', (_, then, words) => {
    const picture = pictureOfList(then(stateOf(pressAll(LIST, pressList, '^R'))), 97)
    expect(picture.rows).toEqual(['p1', 'p2', 'p3'].map((text) => ({ text, tone: 'dim' })))
    expect(picture.status.join(' ')).toContain(words)
    expect(picture.status.join(' ')).toContain('read 12:00')
  })

  test.each([100, 60, 44, 30])('at %i columns', async (columns) => {
    const title = ['LIVE shop', 'this machine only'] as const
    const lines = drawn((room) => pictureOfList({ ...LIST, title, chosen: 'p2' }, room), columns)
    await expect(lines.join('\n')).toMatchFileSnapshot(`../../golden/desk/list-${columns}.txt`)
    expect(lines.filter((line) => widthOf(line) >= columns)).toEqual([])
  })
})
