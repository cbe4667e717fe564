import type { Instrument } from '../../api/models/instrument.ts'
import { showInstrument } from '../answers/instrument-view.ts'
import type { Store } from '../domain/store/store.ts'
import { readAll } from './read.ts'
import type { Read } from './read.ts'
import type { ListOf } from './sessions.ts'
import type { ListPage } from './view-inputs.ts'

const SLICE = 1000

/** The saved methods of all customers that aren't deleted: by customer, newest first. `search` looks at customers. */
export async function listInstruments(
  read: Read,
  { offset, limit, search }: ListPage,
): Promise<ListOf<Instrument>> {
  const all = await readAll(read, ({ instruments }: Store, after: number | undefined) => {
    const entries = instruments.slice(after ?? 0, SLICE)
    return { entries, next: entries.length === SLICE ? entries.at(-1)?.seq : undefined }
  })
  const found = all
    .filter(({ customerId, isDeleted }) => !isDeleted && customerId.toLowerCase().includes(search))
    .toSorted((one, other) =>
      one.customerId === other.customerId ? other.seq - one.seq : one.customerId < other.customerId ? -1 : 1,
    )
  const page = found.slice(offset, offset + limit)
  const data = await read(({ instruments }) => page.flatMap(({ token }) => instruments.find(token) ?? []))
  return { total: found.length, data: data.map(showInstrument) }
}
