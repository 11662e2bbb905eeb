import { Button } from '@mantine/core'
import { IconCar, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { lots } from '#contract/customers/lots/lots.ts'
import { vehicles } from '#contract/inventory/vehicles/vehicles.ts'
import { MAX_PAGE_SIZE } from '#contract/queried-list.ts'
import { keyOf, query } from '#web/api/query.ts'
import { call } from '#web/api/client.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { useCustomFields } from '../custom-fields/use-custom-fields.ts'
import { VehicleGrid } from './VehicleGrid.tsx'
import './vehicle-grid.css'

const route = getRouteApi('/shell/inventory/vehicle-data/edit-grid')

/** The vehicles of the list, as it was narrowed and sorted, as a table to write in: as many at a time as one answer holds. */
export function VehicleGridPage() {
  const { page = 1, sort, search, filter, fields } = route.useSearch()
  const navigate = route.useNavigate()
  const input = { page, pageSize: MAX_PAGE_SIZE, sort, search, filter }
  const { data, error, isPending, refetch } = useQuery({
    // Not the rows of the list: these are written in, and must not come back as others meanwhile.
    queryKey: [...keyOf(vehicles.list), input, 'grid'],
    queryFn: ({ signal }) => call(vehicles.list, input, { signal }),
    gcTime: 0,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const found = useQuery(query(lots.list, { pageSize: MAX_PAGE_SIZE, sort: 'name' }))
  const choices = found.data?.results.map(({ id, name, code }) => ({
    value: id,
    label: name,
    aliases: [code],
  }))
  const own = useCustomFields()
  const shown = useMemo(() => fields?.split(',') ?? [], [fields])
  // What the grid shows is no place one comes back to, and what was written stays.
  const show = (names: readonly string[]) =>
    void navigate({
      search: (before) => ({ ...before, fields: names.join(',') || undefined }),
      replace: true,
      ignoreBlocker: true,
    })
  // Who may not see lots moves no vehicles: they stay where they are.
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
            <Step to={page - 1} isThere={page > 1} words="Previous" />
            <Step to={page + 1} isThere={from + rows.length < data.filteredRows} words="Next" />
          </nav>
        )}
      </header>
      {isWaiting && !error && <Spinner label="Loading the vehicles to edit" />}
      {error && (
        <FailureState
          failure={error}
          endpoint={vehicles.list}
          what="the vehicles to edit"
          onRetry={() => void refetch()}
        />
      )}
      {data && !isWaiting && rows.length === 0 && (
        <EmptyState
          icon={<IconCar size={18} />}
          title="No vehicles to edit"
          text="Nothing matches here. The list of vehicles shows what there is."
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

function Step({ to, isThere, words }: { to: number; isThere: boolean; words: string }) {
  const navigate = route.useNavigate()
  return (
    <Button
      variant="default"
      size="compact-sm"
      disabled={!isThere}
      onClick={() => void navigate({ search: (before) => ({ ...before, page: to }) })}
    >
      {words} {MAX_PAGE_SIZE}
    </Button>
  )
}
