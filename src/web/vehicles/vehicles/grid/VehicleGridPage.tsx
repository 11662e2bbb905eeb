import { Button } from '@mantine/core'
import { IconCar, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { lots } from '#contract/customers/lots/lots.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { MAX_PAGE_SIZE } from '#contract/queried-list.ts'
import { keyOf } from '#web/api/query.ts'
import { call } from '#web/api/client.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { readAllPages } from '#web/ui/list/read-all-pages.ts'
import { useCustomFields } from '../custom-fields/use-custom-fields.ts'
import { VehicleGrid } from './VehicleGrid.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import './vehicle-grid.css'

const route = getRouteApi('/shell/inventory/vehicle-data/edit-grid')

/** The filtered and sorted vehicle list as an editable grid, one page of results at a time. */
export function VehicleGridPage() {
  const { page = 1, sort, search, filter, fields } = route.useSearch()
  const navigate = route.useNavigate()
  const input = { page, pageSize: MAX_PAGE_SIZE, sort, search, filter }
  const { data, error, isPending, refetch } = useQuery({
    // Separate from the cached list, because rows must not be refetched while they are edited.
    queryKey: [...keyOf(vehicles.list), input, 'grid'],
    queryFn: ({ signal }) => call(vehicles.list, input, { signal }),
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const found = useQuery({
    // All of them: a pasted lot must be found, and the grid can't search on the server.
    queryKey: [...keyOf(lots.list), 'all'],
    queryFn: ({ signal }) => readAllPages((pages) => call(lots.list, { ...pages, sort: 'name' }, { signal })),
  })
  const choices = found.data?.map(({ id, name, code }) => ({
    value: id,
    label: name,
    aliases: [code],
  }))
  const own = useCustomFields()
  const shown = useMemo(() => fields?.split(',') ?? [], [fields])
  // Changing columns adds no history entry and keeps unsaved changes.
  const show = (names: readonly string[]) =>
    void navigate({
      search: (before) => ({ ...before, fields: names.join(',') || undefined }),
      replace: true,
      ignoreBlocker: true,
    })
  // Users who may not see lots get no choices, so they can't move vehicles.
  const isWaiting = isPending || found.isPending || own.isPending
  const rows = data?.results ?? []
  const from = (page - 1) * MAX_PAGE_SIZE
  return (
    <div className="fc-list fc-vehicle-grid">
      <header className="fc-page-header">
        <div className="fc-grow">
          <nav className="fc-crumbs" aria-label="Breadcrumb">
            <Link to="/inventory/vehicle-data" search={{ sort, search, filter }}>
              Vehicle data
            </Link>
            <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
            <span aria-current="page">Edit grid</span>
          </nav>
          <h1>Edit vehicles</h1>
          <p aria-live="polite">
            {data &&
              rows.length > 0 &&
              `${(from + 1).toLocaleString()} to ${(from + rows.length).toLocaleString()} of ${data.filteredRows.toLocaleString()}`}
          </p>
        </div>
        {data && data.filteredRows > MAX_PAGE_SIZE && (
          <nav className="fc-row" aria-label="Pages">
            <Step to={page - 1} isThere={page > 1} label="Previous" />
            <Step to={page + 1} isThere={from + rows.length < data.filteredRows} label="Next" />
          </nav>
        )}
      </header>
      {isWaiting && !error && <Spinner label="Loading the vehicles" />}
      {error && (
        <FailureState
          failure={error}
          endpoint={vehicles.list}
          what="the vehicles"
          onRetry={() => void refetch()}
        />
      )}
      {data && !isWaiting && rows.length === 0 && (
        <EmptyState
          icon={<IconCar size={18} />}
          title="No vehicles to edit"
          text="No vehicle matches the filters. Go back to the vehicle list to change them."
        />
      )}
      {data && !isWaiting && rows.length > 0 && (
        <VehicleGrid
          key={JSON.stringify(input)}
          vehicles={rows}
          lots={choices ?? []}
          fields={own.fields}
          shown={shown}
          onShow={show}
        />
      )}
    </div>
  )
}

function Step({ to, isThere, label }: { to: number; isThere: boolean; label: string }) {
  const navigate = route.useNavigate()
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={!isThere}
      onClick={() => void navigate({ search: (before) => ({ ...before, page: to }) })}
    >
      {label} {MAX_PAGE_SIZE}
    </Button>
  )
}
