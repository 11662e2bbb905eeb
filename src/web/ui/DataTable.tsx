import { useMediaQuery } from '@mantine/hooks'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import {
  createColumnHelper,
  flexRender,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import { SkeletonRows } from './SkeletonRows.tsx'

export type Column<Row> = {
  id: string
  title: string
  cell: (row: Row) => ReactNode
  isSortable?: boolean
  isNumber?: boolean
}

type Props<Row> = {
  /** Names the table: "Lots". */
  label: string
  columns: readonly Column<Row>[]
  /** Null while the first rows are on their way. */
  rows: readonly Row[] | null
  rowId: (row: Row) => string
  selectedId?: string | undefined
  /** As in the URL: `name`, `-name`. */
  sort: string
  onSort: (sort: string) => void
  /** The row as a block, for narrow screens. */
  block: (row: Row) => ReactNode
  /** Old rows while new ones are on their way. */
  isStale?: boolean
}

const features = tableFeatures({ rowSortingFeature })
const DATA: readonly never[] = []

/**
 * Our table: sorted and paged by the server, one block a row under 768 px. A row opens by the link on its name
 * (`fc-name`), which lies over the whole row: it works with the keyboard, in a new tab and as a copied address.
 */
export function DataTable<Row extends object>(props: Props<Row>) {
  const isNarrow = useMediaQuery('(max-width: 767px)', false, { getInitialValueInEffect: false })
  if (isNarrow) return <Blocks {...props} />
  return <Rows {...props} />
}

function Rows<Row extends object>(props: Props<Row>) {
  const { label, columns, rows, rowId, selectedId, sort, onSort, isStale = false } = props
  const defined = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>()
    return columns.map(({ id, title, cell, isSortable = false }) =>
      helper.accessor((row: Row): unknown => row, {
        id,
        header: title,
        cell: (context) => cell(context.row.original),
        enableSorting: isSortable,
      }),
    )
  }, [columns])
  const sorting = [{ id: sort.replace(/^-/, ''), desc: sort.startsWith('-') }]
  const table = useTable({
    features,
    columns: defined,
    data: rows ?? DATA,
    getRowId: rowId,
    manualSorting: true,
    enableSortingRemoval: false,
    sortDescFirst: false,
    state: { sorting },
    onSortingChange: (update) => {
      const [next] = typeof update === 'function' ? update(sorting) : update
      if (next) onSort(next.desc ? `-${next.id}` : next.id)
    },
  })
  const numbers = new Set(columns.filter((column) => column.isNumber).map((column) => column.id))
  const cellClass = (id: string) => (numbers.has(id) ? 'fc-end fc-number' : undefined)

  return (
    <div className="fc-table-frame">
      <table className="fc-table" aria-label={label} aria-busy={rows === null || isStale}>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map(({ id, column }) => {
                const sorted = column.getIsSorted()
                const title = columns.find((own) => own.id === column.id)?.title
                const Arrow = sorted === 'desc' ? IconArrowDown : IconArrowUp
                return (
                  <th key={id} scope="col" className={cellClass(column.id)} aria-sort={ariaSort(sorted)}>
                    {column.getCanSort() ? (
                      <button type="button" onClick={() => column.toggleSorting(sorted === 'asc')}>
                        {title}
                        {sorted !== false && <Arrow size={13} stroke={2} aria-hidden="true" />}
                      </button>
                    ) : (
                      title
                    )}
                  </th>
                )
              })}
            </tr>
          ))}
        </thead>
        <tbody>
          {rows === null && <SkeletonRows columns={columns.length} label={label} />}
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id} data-selected={row.id === selectedId || undefined}>
              {row.getAllCells().map((cell) => (
                <td key={cell.id} className={cellClass(cell.column.id)}>
                  {flexRender(cell.column.columnDef.cell, cell.getContext())}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Blocks<Row extends object>({ label, rows, rowId, selectedId, block, isStale = false }: Props<Row>) {
  return (
    <div className="fc-table-frame">
      {rows === null && (
        <table className="fc-table" aria-label={label} aria-busy>
          <tbody>
            <SkeletonRows columns={2} label={label} />
          </tbody>
        </table>
      )}
      <ul className="fc-blocks" aria-label={label} aria-busy={isStale}>
        {rows?.map((row) => (
          <li key={rowId(row)} data-selected={rowId(row) === selectedId || undefined}>
            {block(row)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function ariaSort(sorted: false | 'asc' | 'desc') {
  if (sorted === false) return undefined
  return sorted === 'asc' ? 'ascending' : 'descending'
}
