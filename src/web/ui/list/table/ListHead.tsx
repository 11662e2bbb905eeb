import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import {
  columnResizingFeature,
  columnSizingFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo } from 'react'
import { MAX_SORT_TERMS } from '#contract/queried-list.ts'
import { ColumnEdge } from './ColumnEdge.tsx'
import { clampWidth, MIN_WIDTH, MAX_WIDTH, type Widths } from './column-widths.ts'
import type { ListColumn } from '../list-state.ts'
import { RowCheck } from '../selection/RowCheck.tsx'
import { isAtEnd } from './show-cell-value.tsx'

type Props = {
  columns: readonly ListColumn[]
  widths: Widths
  /** As in the URL: `-price,make`. */
  sort: string
  onSort: (sort: string) => void
  /** Null resets to the automatic width. */
  onWidth: (id: string, width: number | null) => void
  /** Null if rows can't be selected. */
  choice: ChoiceOfAll | null
}

export type ChoiceOfAll = Readonly<{
  label: string
  isOn: boolean
  isMixed: boolean
  onChange: (isOn: boolean) => void
}>

const features = tableFeatures({ rowSortingFeature, columnSizingFeature, columnResizingFeature })
const NO_ROWS: readonly never[] = []

/** The column headers: click to sort (Shift adds columns), drag an edge to resize. */
export function ListHead({ columns, widths, sort, onSort, onWidth, choice }: Props) {
  const defined = useMemo(
    () =>
      columns.map(({ id, field }) => ({
        id,
        header: field.title,
        accessorFn: () => null,
        enableSorting: field.isSortable === true,
        minSize: MIN_WIDTH,
        maxSize: MAX_WIDTH,
      })),
    [columns],
  )
  const sorting = readTerms(sort)
  const table = useTable({
    features,
    columns: defined,
    data: NO_ROWS,
    manualSorting: true,
    enableSortingRemoval: false,
    sortDescFirst: false,
    maxMultiSortColCount: MAX_SORT_TERMS,
    columnResizeMode: 'onChange',
    columnResizeDirection: document.documentElement.dir === 'rtl' ? 'rtl' : 'ltr',
    state: { sorting, columnSizing: { ...widths } },
    onSortingChange: (update) => {
      const terms = typeof update === 'function' ? update(sorting) : update
      if (terms.length > 0) onSort(terms.map(({ id, desc }) => (desc ? `-${id}` : id)).join(','))
    },
    onColumnSizingChange: (update) => {
      const next = typeof update === 'function' ? update({ ...widths }) : update
      for (const [id, width] of Object.entries(next)) {
        if (width !== widths[id]) onWidth(id, clampWidth(width))
      }
    },
  })

  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id} aria-rowindex={1}>
          {choice && (
            <th scope="col" className="fc-choice">
              <RowCheck {...choice} />
            </th>
          )}
          {group.headers.map((header) => {
            const { column } = header
            const { id } = column
            const field = columns.find((one) => one.id === id)?.field
            const sorted = column.getIsSorted()
            const Arrow = sorted === 'desc' ? IconArrowDown : IconArrowUp
            return (
              <th
                key={header.id}
                scope="col"
                // Leaves out the name of its resize handle.
                aria-label={field?.title}
                className={field && isAtEnd(field) ? 'fc-end' : undefined}
                data-fixed={field?.isFixed}
                aria-sort={ariaSort(sorted)}
              >
                {column.getCanSort() ? (
                  <button
                    type="button"
                    onClick={(event) => column.toggleSorting(sorted === 'asc', event.shiftKey)}
                  >
                    {field?.title}
                    {sorted !== false && <Arrow size={13} stroke={2} aria-hidden="true" />}
                  </button>
                ) : (
                  field?.title
                )}
                <ColumnEdge
                  title={field?.title ?? id}
                  width={widths[id] ?? MIN_WIDTH}
                  isDragged={column.getIsResizing()}
                  onDrag={header.getResizeHandler()}
                  onWidth={(width) => onWidth(id, width)}
                />
              </th>
            )
          })}
        </tr>
      ))}
    </thead>
  )
}

function readTerms(sort: string) {
  return sort.split(',').map((term) => ({ id: term.replace(/^-/, ''), desc: term.startsWith('-') }))
}

function ariaSort(sorted: false | 'asc' | 'desc') {
  if (sorted === false) return undefined
  return sorted === 'asc' ? 'ascending' : 'descending'
}
