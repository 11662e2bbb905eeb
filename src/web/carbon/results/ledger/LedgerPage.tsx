import { IconChartBar } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { ledger } from '#contract/carbon/results/ledger.ts'
import { LEDGER_LIST } from '#contract/carbon/results/ledger-list.ts'
import type { ListedResult } from '#contract/carbon/activity/ledger-schema.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, LedgerBlock, WIDTHS } from './ledger-columns.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/carbon/ledger')

const ResultDrawer = lazy(async () => ({ default: (await import('./ResultDrawer.tsx')).ResultDrawer }))

/** The results of all inventories, as a list that can be sorted, filtered and exported. One opens with its calculation. */
export function LedgerPage() {
  const search = route.useSearch()
  const { onShow, close } = useListRoute('result')
  return (
    <>
      <ListPage
        list={LEDGER_LIST}
        endpoint={ledger.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => `${sourceTitle(row)}, ${row.facilityName}`}
        selectedId={search.result}
        searches="Source, facility, emission factor, reference"
        empty={
          <EmptyState
            tone="brand"
            icon={<IconChartBar size={18} />}
            title="No results yet"
            text="Results appear here once activity data is entered."
          >
            <Link to="/carbon" className="fc-link">
              Go to inventories
            </Link>
          </EmptyState>
        }
      />
      {search.result !== undefined && (
        <Suspense>
          <ResultDrawer key={search.result} id={search.result} onClose={() => close()} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(row: ListedResult) {
  return <LedgerBlock row={row} />
}
