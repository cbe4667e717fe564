import type { ComponentChildren } from 'preact'
import { read } from '../../page/service.ts'
import { TextField } from './fields.tsx'
import { Pager, readOffset } from './pager.tsx'
import type { ListOf } from '../../../sandbox/domain/stored.ts'
import { query, setQuery } from './router.tsx'
import { Empty, FetchState } from './states.tsx'
import { Table } from './table.tsx'
import type { TableProps } from './table.tsx'
import { useFetched } from './use-fetched.ts'

interface SearchedListProps<Row> extends Omit<TableProps<Row>, 'rows'> {
  /** The path of the list, which is read in pages. */
  readonly path: string
  /** The search, with its label and its name in the address. */
  readonly search: { readonly label: string; readonly name: string; readonly placeholder: string }
  /** Shown while there is nothing to list. */
  readonly children: ComponentChildren
}

const LIMIT = 50

/** A list of the sandbox that is searched and read in pages. Both are in the address. */
export function SearchedList<Row>({ path, search, children, ...table }: SearchedListProps<Row>) {
  const text = query.value[search.name] ?? ''
  const offset = readOffset(query.value['offset'])
  const what = table.label.toLowerCase()
  const fetched = useFetched(
    async (signal) => {
      const page = await read<ListOf<Row>>(path, { query: { search: text, offset, limit: LIMIT }, signal })
      return { ...page, offset, text }
    },
    [text, offset],
  )
  const { data } = fetched
  return (
    <>
      <div class="filters">
        <TextField
          label={search.label}
          type="search"
          value={text}
          placeholder={search.placeholder}
          shortcut="/"
          onChange={(value) => setQuery({ [search.name]: value, offset: undefined }, 'replace')}
        />
      </div>
      <FetchState what={what} of={fetched} />
      {data === undefined ? null : data.total === 0 ? (
        <Empty title={data.text === '' ? `No ${what} yet.` : 'Nothing matches.'}>{children}</Empty>
      ) : (
        <>
          <Table {...table} rows={data.data} />
          <Pager
            what={what}
            offset={data.offset}
            limit={LIMIT}
            total={data.total}
            onMove={(to) => setQuery({ offset: to === 0 ? undefined : String(to) }, 'push')}
          />
        </>
      )}
    </>
  )
}
