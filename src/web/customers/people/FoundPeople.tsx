import { getRouteApi } from '@tanstack/react-router'
import { customers, type FoundPerson } from '#contract/customers/customers.ts'
import { DEFAULT_PAGE_SIZE } from '#contract/queried-list.ts'
import { useList } from '#web/api/query.ts'
import type { ListSearch } from '#web/list-search.ts'
import { ListBody } from '#web/ui/ListBody.tsx'
import { columns, PersonBlock } from './person-columns.tsx'

const route = getRouteApi('/shell/customers/people')

/** Who was found; asked only once there is something to look for. */
export function FoundPeople() {
  const { page = 1, size = DEFAULT_PAGE_SIZE, sort = 'fullName', search = '' } = route.useSearch()
  const navigate = route.useNavigate()
  const state = useList(customers.findPeople, { page, pageSize: size, sort, search })
  const show = (change: ListSearch) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...change }) })
  return (
    <ListBody
      {...{ state, columns, page, size, sort }}
      endpoint={customers.findPeople}
      label="People"
      nouns={['person', 'people']}
      rowId={(row: FoundPerson) => row.id}
      block={showBlock}
      onShow={show}
      wanted={`“${search}”`}
      onClear={() => show({ search: '' })}
      empty={null}
    />
  )
}

function showBlock(person: FoundPerson) {
  return <PersonBlock person={person} />
}
