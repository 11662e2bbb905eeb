import { Button, FileButton } from '@mantine/core'
import { IconPlus, IconReplace, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { unmappedValues } from '#contract/feeds/values/unmapped-values.ts'
import { VALUE_MAPPING_LIST } from '#contract/feeds/values/value-mapping-list.ts'
import { type ValueMapping, valueMappings } from '#contract/feeds/values/value-mappings.ts'
import type { CallFailure } from '#web/api/failure.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError, showNotice } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { toast } from '#web/ui/feedback/toast.tsx'
import { CELLS, MappingBlock, WIDTHS } from './value-columns.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import './values.css'

// In one file: each file more is in the list that sign-in loads.
export { UnmappedPage } from './UnmappedPage.tsx'

const route = getRouteApi('/shell/administration/data-mappings')
const importMany = send(valueMappings.importMany)

const ValueMappingDrawer = lazy(async () => ({
  default: (await import('./ValueMappingDrawer.tsx')).ValueMappingDrawer,
}))
const BuiltInDrawer = lazy(async () => ({ default: (await import('./BuiltInDrawer.tsx')).BuiltInDrawer }))
const ApplyDrawer = lazy(async () => ({ default: (await import('./ApplyDrawer.tsx')).ApplyDrawer }))

/** The customer's data mappings, which override the built-in ones. */
export function DataMappingsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { value, panel } = search
  const { onShow, open, close } = useListRoute('value')
  const closePanel = () => void navigate({ search: (before) => ({ ...before, panel: undefined }) })
  const add = (
    <Action
      for={valueMappings.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add mapping
    </Action>
  )
  return (
    <>
      <ListPage
        list={VALUE_MAPPING_LIST}
        endpoint={valueMappings.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.raw}
        selectedId={value}
        searches="Value, mapped value"
        actions={
          <>
            <ImportButton />
            {add}
          </>
        }
        note={showNote}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconReplace size={18} />}
            title="No data mappings yet"
            text="Feeds spell the same value in many ways. Common spellings are built in. Add a mapping for any other spelling, or to override a built-in one."
          >
            {add}
          </EmptyState>
        }
      />
      <Suspense>
        {value !== undefined && <ValueMappingDrawer key={value} id={value} onClose={close} />}
        {panel === 'built-in' && <BuiltInDrawer onClose={closePanel} />}
        {panel === 'apply' && <ApplyDrawer onClose={closePanel} />}
      </Suspense>
    </>
  )
}

function showBlock(row: ValueMapping) {
  return <MappingBlock row={row} />
}

function showNote() {
  return <RelatedLinks />
}

/** Links to unmapped values, built-in mappings, and applying the mappings. */
function RelatedLinks() {
  const { data } = useQuery(query(unmappedValues.list, { pageSize: 1 }))
  const waiting = data?.totalRows ?? 0
  return (
    <nav className="fc-values-note fc-row" aria-label="Related to data mappings">
      <Link to="/administration/unmapped-values">
        {waiting === 0 ? 'Unmapped values' : count(waiting, 'unmapped value', 'unmapped values')}
      </Link>
      <Link
        from="/administration/data-mappings"
        to="."
        search={(before) => ({ ...before, panel: 'built-in' })}
      >
        Built-in mappings
      </Link>
      <Link
        from="/administration/data-mappings"
        to="."
        search={(before) => ({ ...before, panel: 'apply' })}
        for={valueMappings.preview}
      >
        Apply to vehicles
      </Link>
    </nav>
  )
}

/** Lists lines with errors in a dialog, because a toast would disappear. */
function describeRefusal(failure: CallFailure): void {
  const why = failure.fields['text']
  if (why === undefined) showError(failure)
  else showNotice('Nothing was imported', <p>{why}</p>)
}

function ImportButton() {
  const holds = useHolds()
  const importing = useMutation({
    mutationFn: importMany,
    onSuccess: ({ added, changed, same }) => {
      toast('Data mappings imported', `${added} added, ${changed} changed, ${same} unchanged`)
    },
    onError: describeRefusal,
  })
  if (!permissionsFor(valueMappings.importMany.allow).every((wanted) => holds(wanted) === true)) return null
  const read = async (file: File | null) => {
    if (file !== null) importing.mutate({ text: await file.text() })
  }
  return (
    <FileButton accept="text/csv,.csv" onChange={(file) => void read(file)}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          loading={importing.isPending}
          leftSection={<IconUpload size={16} aria-hidden="true" />}
        >
          Import
        </Button>
      )}
    </FileButton>
  )
}
