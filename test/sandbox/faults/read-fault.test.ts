import { describe, expect, test } from 'vitest'
import { readFault } from '../../../src/sandbox/faults/read-fault.ts'

const REFUNDS = 'POST /payments/*/refund'
const random = () => 0.25

describe('a fault', () => {
  test('defaults to every request from the first, with a random seed', () => {
    expect(readFault({ on: REFUNDS, do: 'drop-after' }, random)).toEqual({
      fault: { on: REFUNDS, do: 'drop-after', rate: 1, seed: 250_000, skip: 0 },
    })
  })

  test('keeps the given values', () => {
    const fault = { on: REFUNDS, do: 'delay=2s', rate: 0.2, seed: 7, times: 3, skip: 1 }
    expect(readFault(fault, random)).toEqual({ fault })
  })

  test.each([
    ['rate', 0],
    ['rate', -0.1],
    ['rate', 1.01],
    ['rate', Number.NaN],
    ['rate', Number.POSITIVE_INFINITY],
    ['rate', '0.2'],
    ['rate', null],
    ['seed', -1],
    ['seed', 1.5],
    ['seed', 2 ** 32],
    ['seed', 7n],
    ['times', 0],
    ['times', 1.5],
    ['times', '3'],
    ['skip', -1],
    ['skip', 2 ** 53],
    ['skip', [1]],
  ])('refuses a %s of %s', (field, value) => {
    expect(readFault({ on: REFUNDS, do: 'hang', [field]: value }, random)).toEqual({
      problems: [{ field, description: expect.stringMatching(/^must be a /) }],
    })
  })

  test.each([
    ['rate', 1],
    ['rate', 0.000_1],
    ['seed', 0],
    ['seed', 2 ** 32 - 1],
    ['times', 1],
    ['skip', 0],
  ])('accepts a %s of %d', (field, value) => {
    expect(readFault({ on: REFUNDS, do: 'hang', [field]: value }, random)).toMatchObject({
      fault: { [field]: value },
    })
  })

  test('reports every problem at once', () => {
    const wrong = {
      on: 'payments',
      do: 'explode',
      rate: 2,
      seed: 'x',
      times: 0,
      skip: -1,
      tims: 1,
      other: {},
    }
    const read = readFault(wrong, random)
    expect('problems' in read ? read.problems.map(({ field }) => field) : []).toEqual([
      'tims',
      'other',
      'on',
      'do',
      'rate',
      'seed',
      'times',
      'skip',
    ])
    expect('problems' in read ? read.problems[0] : undefined).toEqual({
      field: 'tims',
      description: 'is not a known field; did you mean times?',
    })
  })

  test('needs an effect and a pattern', () => {
    expect(readFault({}, random)).toMatchObject({
      problems: [
        { field: 'on', description: expect.stringContaining('is required') },
        { field: 'do', description: expect.stringContaining('is required') },
      ],
    })
  })
})
