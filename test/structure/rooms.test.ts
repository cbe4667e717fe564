import { expect, test } from 'vitest'
import { DOORS, FACTS, FILES, OWN_IMPORTS, ROOMS, WALLS, roomOf, whyNot } from './rooms.ts'

test('every folder of src is a room of the table', () => {
  const folders = new Set(FILES.filter((path) => path.includes('/')).map(roomOf))
  expect([...folders].toSorted()).toEqual(Object.keys(ROOMS).toSorted())
})

test('files import only what the table and the walls allow', () => {
  const wrong = OWN_IMPORTS.flatMap((one) => {
    const why = whyNot(one)
    return why === undefined ? [] : [`${one.from} imports ${one.to}: ${why}`]
  })
  expect(wrong).toEqual([])
})

test('a room imports only those before it in the table, so that there is no circle', () => {
  const order = Object.keys(ROOMS)
  const backwards = Object.entries(ROOMS).flatMap(([room, names]) =>
    names
      .filter((name) => order.indexOf(name.replace('type ', '')) >= order.indexOf(room))
      .map((name) => `${room} imports ${name}`),
  )
  expect(backwards).toEqual([])
})

test('both sides of every wall have files', () => {
  const empty = WALLS.filter(
    ([from, to]) => ![from, to].every((side) => FILES.some((path) => side.test(path))),
  )
  expect(empty).toEqual([])
})

const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

test('each library comes in through its door', () => {
  const importers = new Map<string, Set<string>>()
  for (const [path, { imports }] of FACTS)
    for (const { name } of imports) {
      if (/^\.|^node:(?!sqlite)/.test(name)) continue
      importers.set(packageOf(name), (importers.get(packageOf(name)) ?? new Set()).add(path))
    }
  const strays = [...importers].flatMap(([name, paths]) => {
    const doors = DOORS[name] ?? []
    const isDoor = (door: string, path: string) =>
      door === path || door === roomOf(path) || (door.endsWith('/') && path.startsWith(door))
    return [...paths]
      .filter((path) => {
        const door = doors.find((one) => isDoor(one, path))
        const isOneOfMany =
          door !== undefined &&
          door === roomOf(path) &&
          [...paths].filter((one) => roomOf(one) === door).length > 1
        return door === undefined || isOneOfMany
      })
      .map((path) => `${path} imports ${name}`)
  })
  expect(strays).toEqual([])
})

test.each([
  ['main.ts', 'sandbox/sandbox.ts', false, true],
  ['api/models/payment.ts', 'errors.ts', false, true],
  ['api/models/payment.ts', 'money/parse.ts', false, false],
  ['api/facts.ts', 'api/models/payment.ts', false, false],
  ['client/http/transmit.ts', 'client/calls/call.ts', true, false],
  ['client/calls/attempts.ts', 'client/recovery/effect.ts', false, false],
  ['client/calls/client.ts', 'client/recovery/effect.ts', false, true],
  ['rows/send/row-loop.ts', 'rows/import/check-rows.ts', false, false],
  ['rows/import/check-rows.ts', 'rows/send/row-loop.ts', false, true],
  ['views/batch/plan.ts', 'rows/batch/plan.ts', true, true],
  ['views/batch/plan.ts', 'rows/batch/plan.ts', false, false],
  ['sandbox/domain/payment/payment-source.ts', 'sandbox/database/store.ts', false, false],
  ['sandbox/domain/payment/payment-source.ts', 'sandbox/database/store.ts', true, true],
  ['sandbox/domain/payment/payment-source.ts', 'sandbox/request/endpoint.ts', true, false],
  ['sandbox/answers/response.ts', 'client/http/failure.ts', true, false],
  ['cli/run.ts', 'commands/tree.ts', false, false],
  ['commands/tree.ts', 'commands/payment/refund.ts', false, true],
  ['commands/payment/refund.ts', 'commands/payment/money-spec.ts', false, true],
  ['commands/payment/refund.ts', 'commands/session/create.ts', false, false],
  ['commands/payment/refund.ts', 'commands/find/pages.ts', false, true],
  ['commands/body-flags.ts', 'commands/payment/money-spec.ts', false, false],
])('%s may import %s (type alone: %s): %s', (from, to, isType, allowed) => {
  expect(whyNot({ from, to, isType }) === undefined).toBe(allowed)
})
