import { IconMapPin, IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Lot, lots } from '#contract/customers/lots.ts'
import { DEFAULT_PAGE_SIZE } from '#contract/queried-list.ts'
import { useList } from '#web/api/query.ts'
import type { ListSearch } from '#web/list-search.ts'
import { Action } from '#web/ui/Action.tsx'
import { Chip } from '#web/ui/Chip.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { ListBody } from '#web/ui/ListBody.tsx'
import { count } from '#web/ui/moment.ts'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { columns, LotBlock } from './lot-columns.tsx'

const route = getRouteApi('/shell/customers/lots')

/** Comes with its form only when a lot is opened: the list is there 30 kB sooner. */
const LotDrawer = lazy(async () => ({ default: (await import('./LotDrawer.tsx')).LotDrawer }))

/** The lots the person reaches; one open in a drawer with its own URL. */
export function LotsPage() {
  const { page = 1, size = DEFAULT_PAGE_SIZE, sort = 'name', search = '', missing, lot } = route.useSearch()
  const navigate = route.useNavigate()
  const state = useList(lots.list, {
    page,
    pageSize: size,
    sort,
    ...(search && { search }),
    ...(missing && { missing }),
  })
  // A change of search or sort starts at the first page again.
  const show = (change: ListSearch & { missing?: undefined }) =>
    void navigate({
      search: (before) => ({ ...before, page: undefined, ...change }),
      replace: 'search' in change,
    })
  const open = (id: string | undefined, { isSaved = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, lot: id }), ignoreBlocker: isSaved })
  const add = (
    <Action
      for={lots.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add lot
    </Action>
  )
  const { failure, isPending } = state
  const { filteredRows, totalRows } = state.list

  return (
    <div className="fc-list">
      <PageHeader
        title="Lots"
        context={
          failure || isPending ? '' : sumUp({ total: totalRows, filtered: filteredRows, search, missing })
        }
      >
        {add}
      </PageHeader>
      <div className="fc-toolbar">
        <SearchField
          label="Search lots"
          placeholder="Code, name, address, make"
          value={search}
          onSearch={(text) => show({ search: text })}
        />
        {missing && (
          <Chip
            label="Address is missing"
            remove="Remove filter: Address is missing"
            onRemove={() => show({ missing: undefined })}
          >
            Address is <b>missing</b>
          </Chip>
        )}
      </div>
      <ListBody
        {...{ state, columns, page, size, sort }}
        endpoint={lots.list}
        label="Lots"
        nouns={['lot', 'lots']}
        rowId={(row: Lot) => row.id}
        selectedId={lot}
        block={showBlock}
        onShow={show}
        wanted={search}
        nothing={{ title: explainNothing({ search, missing }), clear: clearing({ search, missing }) }}
        onClear={() => show({ search: '', missing: undefined })}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconMapPin size={18} />}
            title="No lots yet"
            text="A lot is a place where vehicles stand. Inventory, leads and pages all refer to one."
          >
            {add}
          </EmptyState>
        }
      />
      {lot !== undefined && (
        <Suspense>
          <LotDrawer
            key={lot}
            id={lot}
            onClose={(isSaved) => open(undefined, { isSaved })}
            onCreated={(id) => open(id, { isSaved: true })}
          />
        </Suspense>
      )}
    </div>
  )
}

function showBlock(lot: Lot) {
  return <LotBlock lot={lot} />
}

type Filters = { search: string; missing: 'address' | undefined }

function sumUp({ total, filtered, search, missing }: Filters & { total: number; filtered: number }): string {
  if (total === 0) return 'Places where vehicles stand.'
  const lacking = missing ? ' without an address' : ''
  if (search !== '')
    return `${count(filtered, 'lot', 'lots')}${lacking} ${filtered === 1 ? 'matches' : 'match'} “${search}”.`
  return missing
    ? `${count(filtered, 'lot', 'lots')} of ${total.toLocaleString()}${lacking}.`
    : `${count(total, 'lot', 'lots')}.`
}

function explainNothing({ search, missing }: Filters): string {
  if (search !== '') return `No lot${missing ? ' without an address' : ''} matches “${search}”`
  return missing ? 'Every lot has an address' : 'This page is empty'
}

function clearing({ search, missing }: Filters): string {
  if (search !== '') return missing ? 'Clear filters' : 'Clear search'
  return missing ? 'Clear filter' : 'First page'
}
