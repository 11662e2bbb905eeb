import { IconUserSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { customers, type FoundUser } from '#contract/customers/customers/customers.ts'
import { FOUND_LIST } from '#contract/customers/customers/reachable-user-list.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { CELLS, PersonBlock, WIDTHS } from './user-columns.tsx'

const route = getRouteApi('/shell/customers/people')

const CustomerDrawer = lazy(async () => ({
  default: (await import('../customers/CustomerDrawer.tsx')).CustomerDrawer,
}))

/** Finds a person whatever customer they belong to; opens that customer. */
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
        searches="Name, user name, e-mail"
        about={() => 'In every customer, by name, user name or e-mail.'}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconUserSearch size={18} />}
            title="Whom do you look for?"
            text="For somebody who calls and cannot say which customer they belong to. Type a part of a name, a user name or an e-mail address."
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

function showBlock(person: FoundUser) {
  return <PersonBlock person={person} />
}
