import { Button } from '@mantine/core'
import { IconFilterOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import type { useList } from '#web/api/query.ts'
import type { ListSearch } from '#web/list-search.ts'
import { type Column, DataTable } from './DataTable.tsx'
import { EmptyState } from './EmptyState.tsx'
import { FailureState } from './FailureState.tsx'
import { ListFooter } from './ListFooter.tsx'
import { count } from './moment.ts'

type Props<Row> = {
  /** What `useList` said. */
  state: Pick<ReturnType<typeof useList>, 'failure' | 'isPending' | 'isPlaceholderData' | 'retry'> & {
    list: { filteredRows: number; totalRows: number; results: Row[] | null }
  }
  endpoint: Endpoint
  /** Names the table: "Customers". */
  label: string
  /** "customer", "customers". */
  nouns: readonly [one: string, many: string]
  columns: readonly Column<Row>[]
  rowId: (row: Row) => string
  selectedId?: string | undefined
  block: (row: Row) => ReactNode
  page: number
  size: number
  sort: string
  /** A change of what is shown, for the URL. */
  onShow: (change: ListSearch) => void
  /** What stands here while there is nothing at all: an `EmptyState` that says what it is for. */
  empty: ReactNode
  /** What was looked for, "“zebra”" or "2 filters"; empty when nothing was. */
  wanted: string
  /** In words of its own where those made from `wanted` do not fit. */
  nothing?: { title: string; clear: string }
  onClear: () => void
}

/** What stands under the toolbar of a list, in every state: rows, nothing yet, nothing found, failed; and the footer. */
export function ListBody<Row extends object>(props: Props<Row>) {
  const { state, endpoint, label, nouns, columns, page, size, sort, onShow, empty, wanted, onClear } = props
  const nothing = props.nothing ?? explainNothing(props.nouns[0], wanted)
  const { list, failure, isPending, isPlaceholderData, retry } = state
  const { filteredRows, totalRows, results } = list
  const [one, many] = nouns
  const hasRows = isPending || filteredRows > 0
  return (
    <>
      {failure && (
        <FailureState failure={failure} endpoint={endpoint} what={`the list of ${many}`} onRetry={retry} />
      )}
      {!failure && hasRows && (
        <DataTable
          {...{ label, columns, sort }}
          rows={results}
          rowId={props.rowId}
          selectedId={props.selectedId}
          onSort={(next) => onShow({ sort: next })}
          block={props.block}
          isStale={isPlaceholderData}
        />
      )}
      {!failure && !hasRows && totalRows === 0 && empty}
      {!failure && !hasRows && totalRows > 0 && (
        <EmptyState
          icon={<IconFilterOff size={18} />}
          title={nothing.title}
          text={`${count(totalRows, `${one} is`, `${many} are`)} here.`}
        >
          <Button variant="default" onClick={onClear}>
            {nothing.clear}
          </Button>
        </EmptyState>
      )}
      <ListFooter
        {...{ columns, sort, page, size }}
        isKnown={!failure && !isPending}
        filtered={filteredRows}
        total={totalRows}
        noun={totalRows === 1 ? one : many}
        onPage={(next) => onShow({ page: next })}
        onSize={(next) => onShow({ size: next })}
        onSort={(next) => onShow({ sort: next })}
      />
    </>
  )
}

function explainNothing(one: string, wanted: string) {
  if (wanted === '') return { title: 'This page is empty', clear: 'First page' }
  return { title: `No ${one} matches ${wanted}`, clear: 'Clear filters' }
}
