import { IconBuildingCommunity, IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type Customer, CUSTOMER_STATUSES, customers } from '#contract/customers/customers.ts'
import { DEFAULT_PAGE_SIZE } from '#contract/queried-list.ts'
import { useList } from '#web/api/query.ts'
import type { ListSearch } from '#web/list-search.ts'
import { Action } from '#web/ui/Action.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Filter } from '#web/ui/Filter.tsx'
import { ListBody } from '#web/ui/ListBody.tsx'
import { count } from '#web/ui/moment.ts'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { columns, CustomerBlock } from './customer-columns.tsx'
import { STATUS_NAMES } from './customer-words.ts'

const route = getRouteApi('/shell/customers')
const STATUSES = CUSTOMER_STATUSES.map((value) => ({ value, label: STATUS_NAMES[value] }))

const CustomerDrawer = lazy(async () => ({ default: (await import('./CustomerDrawer.tsx')).CustomerDrawer }))
const NewCustomerDrawer = lazy(async () => ({
  default: (await import('./NewCustomerDrawer.tsx')).NewCustomerDrawer,
}))

/** Every customer of the platform; one open in a drawer with its own URL. */
export function CustomersPage() {
  const {
    page = 1,
    size = DEFAULT_PAGE_SIZE,
    sort = 'name',
    search = '',
    status,
    customer,
  } = route.useSearch()
  const navigate = route.useNavigate()
  const state = useList(customers.list, {
    page,
    pageSize: size,
    sort,
    ...(search && { search }),
    ...(status && { status }),
  })
  // A change of search or sort starts at the first page again.
  const show = (change: ListSearch & { status?: Customer['status'] | undefined }) =>
    void navigate({
      search: (before) => ({ ...before, page: undefined, ...change }),
      replace: 'search' in change,
    })
  const open = (id: string | undefined, { isSaved = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, customer: id }), ignoreBlocker: isSaved })
  const add = (
    <Action
      for={customers.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add customer
    </Action>
  )
  const wanted = [search && `“${search}”`, status && `the status ${STATUS_NAMES[status]}`].filter(Boolean)

  return (
    <div className="fc-list">
      <PageHeader
        title="All customers"
        context={
          state.failure || state.isPending
            ? ''
            : `${count(state.list.totalRows, 'customer', 'customers')} on this platform.`
        }
      >
        {add}
      </PageHeader>
      <div className="fc-toolbar">
        <SearchField
          label="Search customers"
          placeholder="Name, domain"
          value={search}
          onSearch={(text) => show({ search: text })}
        />
        <Filter
          name="Status"
          value={status}
          choices={STATUSES}
          onChange={(value) => show({ status: value })}
        />
      </div>
      <ListBody
        {...{ state, columns, page, size, sort }}
        endpoint={customers.list}
        label="Customers"
        nouns={['customer', 'customers']}
        rowId={(row: Customer) => row.id}
        selectedId={customer}
        block={showBlock}
        onShow={show}
        wanted={wanted.join(' and ')}
        onClear={() => show({ search: '', status: undefined })}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconBuildingCommunity size={18} />}
            title="No customers yet"
            text="A customer is a dealer group with its own people, lots and data. Nobody sees another one's."
          >
            {add}
          </EmptyState>
        }
      />
      <Suspense>
        {customer === 'new' && (
          <NewCustomerDrawer
            onClose={() => open(undefined)}
            onCreated={(id) => open(id, { isSaved: true })}
          />
        )}
        {customer !== undefined && customer !== 'new' && (
          <CustomerDrawer key={customer} id={customer} onClose={() => open(undefined)} />
        )}
      </Suspense>
    </div>
  )
}

function showBlock(customer: Customer) {
  return <CustomerBlock customer={customer} />
}
