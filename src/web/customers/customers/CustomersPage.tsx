import { IconBuildingCommunity, IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { CUSTOMER_LIST } from '#contract/customers/customers/customer-list.ts'
import { type Customer, customers } from '#contract/customers/customers/customers.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, CustomerBlock } from './customer-columns.tsx'

const route = getRouteApi('/shell/customers')

const CustomerDrawer = lazy(async () => ({ default: (await import('./CustomerDrawer.tsx')).CustomerDrawer }))
const NewCustomerDrawer = lazy(async () => ({
  default: (await import('./NewCustomerDrawer.tsx')).NewCustomerDrawer,
}))

/** All customers of the platform; one opens in a drawer with its own URL. */
export function CustomersPage() {
  const search = route.useSearch()
  const { customer } = search
  const { onShow, open, close, onCreated } = useListRoute('customer')
  const add = (
    <Action
      for={customers.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add customer
    </Action>
  )
  return (
    <>
      <ListPage
        list={CUSTOMER_LIST}
        endpoint={customers.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        selectedId={customer}
        searches="Name, domain"
        actions={add}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconBuildingCommunity size={18} />}
            title="No customers yet"
            text="A customer is a dealer group with its own users, lots and data, isolated from other customers."
          >
            {add}
          </EmptyState>
        }
      />
      <Suspense>
        {customer === 'new' && <NewCustomerDrawer onClose={close} onCreated={onCreated} />}
        {customer !== undefined && customer !== 'new' && (
          <CustomerDrawer key={customer} id={customer} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

function showBlock(customer: Customer) {
  return <CustomerBlock customer={customer} />
}
