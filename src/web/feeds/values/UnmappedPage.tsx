import { IconChecks } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { UNMAPPED_LIST } from '#contract/feeds/values/unmapped-list.ts'
import { MIN_CERTAINTY, type UnmappedValue, unmappedValues } from '#contract/feeds/values/unmapped-values.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { confirmMappings } from './confirm-mappings.ts'
import { CELLS, UnmappedBlock, WIDTHS } from './unmapped-columns.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import './values.css'

const route = getRouteApi('/shell/administration/unmapped-values')
const acceptSure = send(unmappedValues.acceptSure)

const MapValueDrawer = lazy(async () => ({ default: (await import('./MapValueDrawer.tsx')).MapValueDrawer }))

/** Feed values without a mapping, with suggestions and the reasons for them. */
export function UnmappedPage() {
  const search = route.useSearch()
  const { value } = search
  const { onShow, close } = useListRoute('value')
  const accepting = useMutation({
    mutationFn: acceptSure,
    onSuccess: (settled) =>
      confirmMappings(`${count(settled.mappingIds.length, 'suggestion', 'suggestions')} accepted.`, settled),
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
            Accept all {MIN_CERTAINTY}%+
          </Action>
        }
        note={showNote}
        empty={
          <EmptyState
            icon={<IconChecks size={18} />}
            title="No unmapped values"
            text="Every feed value has a mapping. New unmapped values appear here with suggestions."
          >
            <Link to="/administration/data-mappings">Data mappings</Link>
          </EmptyState>
        }
      />
      {value !== undefined && (
        <Suspense>
          <MapValueDrawer key={value} id={value} onClose={() => close(true)} />
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
      <bdi>Changes apply from the next feed run.</bdi>{' '}
      <Link to="/administration/data-mappings">Data mappings</Link>
    </p>
  )
}
