import { IconUserSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { customers, type FoundUser } from '#contract/customers/customers/customers.ts'
import { FOUND_LIST } from '#contract/customers/customers/reachable-user-list.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, UserBlock, WIDTHS } from './user-columns.tsx'

const route = getRouteApi('/shell/customers/people')

const CustomerDrawer = lazy(async () => ({
  default: (await import('../customers/CustomerDrawer.tsx')).CustomerDrawer,
}))

/** Finds users of all customers and opens their customer. */
export function UsersOfAllCustomersPage() {
  const search = route.useSearch()
  const { customer } = search
  const { onShow, close } = useListRoute('customer')
  return (
    <>
      <ListPage
        list={FOUND_LIST}
        endpoint={customers.findUsers}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.fullName}
        searches="Name, user name, email"
        about={() => 'Searches users of all customers by name, user name and email.'}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconUserSearch size={18} />}
            title="Find a user"
            text="For callers who don't know which customer they belong to. Enter part of a name, user name or email address."
          />
        }
      />
      {customer !== undefined && (
        <Suspense>
          <CustomerDrawer key={customer} id={customer} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(user: FoundUser) {
  return <UserBlock user={user} />
}
