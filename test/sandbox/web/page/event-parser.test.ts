import { array, assert, nat, property } from 'fast-check'
import { expect, test } from 'vitest'
import { eventParser } from '../../../../src/sandbox/web/page/event-parser.ts'

const STREAM = [
  'id: 1.a\nevent: changed\ndata: {}\n\n',
  ': ping\n\n',
  'id: 3.b\nevent: requests\ndata: [{"path":"/a: b","key":"é\\n"}]\n\n',
].join('')

const EVENTS = [
  { id: '1.a', event: 'changed', data: '{}' },
  { id: '3.b', event: 'requests', data: '[{"path":"/a: b","key":"é\\n"}]' },
]

test('reads events from pieces that end anywhere', () => {
  assert(
    property(array(nat(STREAM.length)), (cuts) => {
      const ends = [...cuts.toSorted((one, other) => one - other), STREAM.length]
      const parse = eventParser()
      let start = 0
      const events = ends.flatMap((end) => {
        const piece = STREAM.slice(start, end)
        start = end
        return parse(piece)
      })
      expect(events).toEqual(EVENTS)
    }),
  )
})

test('keeps an event back until it is complete', () => {
  const parse = eventParser()
  expect(parse('id: 1.a\nevent: changed\ndata: {}\n')).toEqual([])
  expect(parse('\n')).toEqual([EVENTS[0]])
})
