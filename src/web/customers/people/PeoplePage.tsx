import { IconUserSearch } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { FoundPeople } from './FoundPeople.tsx'

const route = getRouteApi('/shell/customers/people')

const CustomerDrawer = lazy(async () => ({
  default: (await import('../customers/CustomerDrawer.tsx')).CustomerDrawer,
}))

/** Finds a person whatever customer they belong to; opens that customer. */
export function PeoplePage() {
  const { search = '', customer } = route.useSearch()
  const navigate = route.useNavigate()
  const close = () => void navigate({ search: (before) => ({ ...before, customer: undefined }) })
  return (
    <div className="fc-list">
      <PageHeader title="Find people" context="In every customer, by name, user name or e-mail." />
      <div className="fc-toolbar">
        <SearchField
          label="Search people"
          placeholder="Name, user name, e-mail"
          value={search}
          onSearch={(text) =>
            void navigate({
              search: (before) => ({ ...before, page: undefined, search: text }),
              replace: true,
            })
          }
        />
      </div>
      {search.trim() === '' ? (
        <EmptyState
          tone="brand"
          icon={<IconUserSearch size={18} />}
          title="Whom do you look for?"
          text="For somebody who calls and cannot say which customer they belong to. Type a part of a name, a user name or an e-mail address."
        />
      ) : (
        <FoundPeople />
      )}
      {customer !== undefined && (
        <Suspense>
          <CustomerDrawer key={customer} id={customer} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}
