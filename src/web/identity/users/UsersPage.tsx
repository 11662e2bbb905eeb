import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { type User, USER_STATES, users } from '#contract/identity/users.ts'
import { userTypes } from '#contract/identity/user-types.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { DEFAULT_PAGE_SIZE } from '#contract/queried-list.ts'
import { query, useList } from '#web/api/query.ts'
import { Action } from '#web/ui/Action.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { Filter } from '#web/ui/Filter.tsx'
import { ListBody } from '#web/ui/ListBody.tsx'
import { count } from '#web/ui/moment.ts'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { SearchField } from '#web/ui/SearchField.tsx'
import { columns, UserBlock } from './user-columns.tsx'
import { STATE_NAMES } from './user-words.ts'

const route = getRouteApi('/shell/administration/users')
const STATES = USER_STATES.map((value) => ({ value, label: STATE_NAMES[value] }))
const NO_FILTER = { search: '', type: undefined, state: undefined, organization: undefined }

/** The people the caller reaches; a row opens the person's own page. */
export function UsersPage() {
  const seen = route.useSearch()
  const { page = 1, size = DEFAULT_PAGE_SIZE, sort = 'name', search = '', type, state, organization } = seen
  const navigate = route.useNavigate()
  const leave = useNavigate()
  const types = useQuery(query(userTypes.forParent, {}))
  const places = useQuery(query(organizations.listAll, {}))
  const list = useList(users.list, {
    page,
    pageSize: size,
    sort,
    ...(search && { search }),
    ...(type && { userTypeId: type }),
    ...(state && { state }),
    ...(organization && { organizationId: organization }),
  })
  // A change of search, filter or sort starts at the first page again.
  const show = (change: Partial<typeof seen>) =>
    void navigate({
      search: (before) => ({ ...before, page: undefined, ...change }),
      replace: 'search' in change,
    })
  const filters = [type, state, organization].filter((value) => value !== undefined).length
  const add = (
    <Action
      for={users.add}
      onClick={() =>
        void leave({
          to: '/administration/users/$id',
          params: { id: 'new' },
          state: { usersSearch: seen },
        })
      }
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add user
    </Action>
  )
  const { filteredRows, totalRows } = list.list
  const isKnown = !list.failure && !list.isPending

  return (
    <div className="fc-list">
      <PageHeader
        title="Users"
        context={
          isKnown
            ? sumUp({ filtered: filteredRows, total: totalRows, isFiltered: search !== '' || filters > 0 })
            : ''
        }
      >
        {add}
      </PageHeader>
      <div className="fc-toolbar">
        <SearchField
          label="Search users"
          placeholder="Name, user name, e-mail"
          value={search}
          onSearch={(text) => show({ search: text })}
        />
        <Filter name="State" value={state} choices={STATES} onChange={(value) => show({ state: value })} />
        <Filter
          name="User type"
          value={type}
          choices={toChoices(types.data, type)}
          onChange={(value) => show({ type: value })}
        />
        <Filter
          name="Organization"
          value={organization}
          choices={toChoices(places.data, organization)}
          onChange={(value) => show({ organization: value })}
        />
      </div>
      <ListBody
        state={list}
        endpoint={users.list}
        label="Users"
        nouns={['person', 'people']}
        {...{ columns, page, size, sort }}
        rowId={(user: User) => user.id}
        block={showBlock}
        onShow={show}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconUsers size={18} />}
            title="Nobody here yet"
            text="Everybody who signs in is a user: with a type that says what they may do, in the organizations they work for."
          >
            {add}
          </EmptyState>
        }
        wanted={nameWanted(search, filters)}
        onClear={() => show(NO_FILTER)}
      />
    </div>
  )
}

function showBlock(user: User) {
  return <UserBlock user={user} />
}

/** What a filter offers. A number in the address that is not among them stays a filter, and can be taken away. */
function toChoices(rows: readonly { id: string; name: string }[] | undefined, chosen: string | undefined) {
  const choices = (rows ?? []).map(({ id, name }) => ({ value: id, label: name }))
  if (chosen === undefined || choices.some(({ value }) => value === chosen)) return choices
  return [...choices, { value: chosen, label: rows ? `number ${chosen}` : '…' }]
}

function sumUp({ filtered, total, isFiltered }: { filtered: number; total: number; isFiltered: boolean }) {
  if (total === 0) return 'Everybody who may sign in.'
  const people = count(total, 'person', 'people')
  return isFiltered ? `${filtered.toLocaleString()} of ${people}.` : `${people}.`
}

function nameWanted(search: string, filters: number): string {
  const filtered = filters > 0 ? count(filters, 'filter', 'filters') : ''
  return [search === '' ? '' : `“${search}”`, filtered].filter(Boolean).join(' and ')
}
