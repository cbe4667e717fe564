import { describe, expect, test } from 'vitest'
import { EVERYWHERE, MAY_IMPORT } from './map.ts'
import { FILES, OWN_IMPORTS, circlesIn, mayImport, roomOf } from './rooms.ts'

describe('rooms', () => {
  test('are all on the map', () => {
    const rooms = new Set(FILES.filter((path) => path.includes('/')).map(roomOf))
    expect([...rooms].filter((room) => !Object.hasOwn(MAY_IMPORT, room))).toEqual([])
  })

  test('all exist', () => {
    const rooms = new Set(FILES.map(roomOf))
    expect(Object.keys(MAY_IMPORT).filter((room) => !rooms.has(room))).toEqual([])
    expect(EVERYWHERE.filter((path) => !FILES.includes(path))).toEqual([])
  })

  test('form layers: the map has no cycle', () => {
    const arrows = Object.entries(MAY_IMPORT).flatMap(([from, rooms]) =>
      rooms.map((to) => [from, to] as const),
    )
    expect(circlesIn(arrows)).toEqual([])
  })

  test('import only what the map allows', () => {
    const wrong = OWN_IMPORTS.filter(([from, to]) => !mayImport(from, to)).map(
      ([from, to]) => `${from} imports ${to}`,
    )
    expect(wrong).toEqual([])
  })
})

describe('files', () => {
  test('never import each other in a circle', () => {
    expect(circlesIn(OWN_IMPORTS)).toEqual([])
  })
})

describe('the rules themselves', () => {
  test.each([
    ['main.ts', 'sandbox/sandbox.ts', true],
    ['api/models/payment.ts', 'errors.ts', true],
    ['api/models/payment.ts', 'money/parse.ts', false],
    ['api/models/payment.ts', 'api/table.ts', false],
    ['http/transmit.ts', 'calls/call.ts', false],
    ['http/transmit.ts', 'api/operation.ts', false],
    ['calls/attempts.ts', 'calls/recovery/effect.ts', false],
    ['calls/client.ts', 'calls/recovery/effect.ts', true],
    ['calls/build-intent.ts', 'ledger/port.ts', true],
    ['calls/build-intent.ts', 'ledger/ledger.ts', false],
    ['bulk/read/table.ts', 'bulk/send/run.ts', false],
    ['bulk/map/cell.ts', 'bulk/keep/journal.ts', false],
    ['bulk/send/run.ts', 'import/check-rows.ts', false],
    ['sandbox/answers/response.ts', 'http/failure.ts', false],
    ['sandbox/answers/response.ts', 'cli/run.ts', false],
    ['sandbox/domain/payment/vault.ts', 'store/database.ts', false],
    ['sandbox/domain/payment/vault.ts', 'sandbox/request/validation.ts', false],
    ['sandbox/handlers/session.ts', 'sandbox/database/store/store.ts', false],
    ['sandbox/controls/control-routes.ts', 'sandbox/sandbox.ts', false],
    ['cli/run.ts', 'commands/tree.ts', false],
    ['cli/run.ts', 'views/payment/payment.ts', false],
    ['cli/parse/globals.ts', 'cli/request/read-data.ts', false],
    ['cli/request/validate.ts', 'cli/guard/confirm.ts', false],
    ['cli/guard/confirm.ts', 'cli/operate.ts', false],
    ['cli/help/help.ts', 'cli/report/receipt.ts', false],
    ['commands/tree.ts', 'commands/payment/refund.ts', true],
    ['commands/payment/refund.ts', 'commands/payment/money-spec.ts', true],
    ['commands/payment/refund.ts', 'commands/session/create.ts', false],
    ['commands/payment/refund.ts', 'commands/body-flags.ts', true],
    ['commands/body-flags.ts', 'commands/payment/money-spec.ts', false],
    ['commands/payment/refund.ts', 'commands/tree.ts', false],
    ['commands/sandbox/start.ts', 'sandbox/pipeline/handle-request.ts', true],
    ['commands/payment/refund.ts', 'sandbox/pipeline/handle-request.ts', false],
    ['money/parse.ts', '../package.json', false],
  ])('%s may import %s: %s', (from, to, allowed) => {
    expect(mayImport(from, to)).toBe(allowed)
  })

  test('find a circle of any length', () => {
    expect(circlesIn([])).toEqual([])
    expect(
      circlesIn([
        ['a', 'b'],
        ['b', 'c'],
        ['a', 'c'],
      ]),
    ).toEqual([])
    const circles = circlesIn([
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
      ['c', 'd'],
      ['e', 'e'],
    ])
    expect(circles.map((circle) => circle.toSorted())).toEqual([['a', 'b', 'c'], ['e']])
  })
})
