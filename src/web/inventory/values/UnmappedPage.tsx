import { IconChecks } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { UNMAPPED_LIST } from '#contract/inventory/values/unmapped-list.ts'
import { SURE, type UnmappedValue, unmappedValues } from '#contract/inventory/values/unmapped-values.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { describeDecision } from './settle-values.ts'
import { CELLS, UnmappedBlock, WIDTHS } from './unmapped-columns.tsx'
import './values.css'

const route = getRouteApi('/shell/administration/unmapped-values')
const acceptSure = send(unmappedValues.acceptSure)

const DecideDrawer = lazy(async () => ({ default: (await import('./SettleDrawer.tsx')).DecideDrawer }))

/** Values of feeds that nobody has a word for yet, with what they may mean and why. */
export function UnmappedPage() {
  const search = route.useSearch()
  const { value } = search
  const { onShow, close } = useListRoute('value')
  const accepting = useMutation({
    mutationFn: acceptSure,
    onSuccess: (settled) =>
      describeDecision(`${count(settled.mappingIds.length, 'suggestion', 'suggestions')} accepted.`, settled),
    onError: (failure) => showError(failure),
  })
  return (
    <>
      <ListPage
        list={UNMAPPED_LIST}
        endpoint={unmappedValues.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.raw}
        selectedId={value}
        searches="Value, suggestion"
        actions={
          <Action
            for={unmappedValues.acceptSure}
            loading={accepting.isPending}
            onClick={() => accepting.mutate({})}
            leftSection={<IconChecks size={16} aria-hidden="true" />}
          >
            Accept all from {SURE} %
          </Action>
        }
        note={showNote}
        empty={
          <EmptyState
            icon={<IconChecks size={18} />}
            title="No unmapped values"
            text="Every value that feeds sent has its word. What comes without one waits here, with what it may mean."
          >
            <Link to="/administration/data-mappings">Data mappings</Link>
          </EmptyState>
        }
      />
      {value !== undefined && (
        <Suspense>
          <DecideDrawer key={value} id={value} onClose={() => close(true)} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(row: UnmappedValue) {
  return <UnmappedBlock row={row} />
}

function showNote() {
  return (
    <p className="fc-values-note">
      <bdi>What is decided here counts from the next run of a feed.</bdi>{' '}
      <Link to="/administration/data-mappings">Data mappings</Link>
    </p>
  )
}
