import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { IconPlus, IconShieldPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { USER_TYPE_LIST } from '#contract/identity/user-types/user-type-list.ts'
import { type UserType, userTypes } from '#contract/identity/user-types/user-types.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { countUsers } from './type-labels.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/administration/user-types')
const TypeDrawer = lazy(async () => ({ default: (await import('./TypeDrawer.tsx')).TypeDrawer }))

/** Columns that show more than the value of their field. */
const CELLS: Cells<UserType, keyof typeof USER_TYPE_LIST.fields> = {
  name: (type) => <TypeLink type={type} />,
  updatedAt: ({ updatedAt, updatedBy }) => (
    <>
      {formatDay(updatedAt)}
      {updatedBy !== null && (
        <span className="fc-second">
          <bdi>{updatedBy}</bdi>
        </span>
      )}
    </>
  ),
}

/** The user types the caller can see. A row opens the permissions of the type. */
export function TypeList() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { onShow, open, close } = useListRoute('drawer')
  const isAdding = search.drawer === 'new'
  const { data: choices } = useQuery({ ...query(userTypes.forParent, {}), enabled: isAdding })
  const own = choices?.[0]
  const add = (
    <Action
      for={userTypes.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add user type
    </Action>
  )
  return (
    <>
      <ListPage
        list={USER_TYPE_LIST}
        endpoint={userTypes.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.name}
        searches="Name"
        actions={add}
        empty={
          <EmptyState
            tone="brand"
            icon={<IconShieldPlus size={18} />}
            title="No user types yet"
            text="A user type is a named set of permissions that you assign to users. It can only include permissions you have."
          >
            {add}
          </EmptyState>
        }
      />
      {isAdding && choices && own && (
        <Suspense>
          <TypeDrawer
            kind="new"
            choice={own}
            choices={choices}
            onClose={close}
            onCreated={(id, { isTyping }) =>
              void navigate({
                search: { type: id, ...(isTyping && { drawer: 'edit' }) },
                ignoreBlocker: true,
              })
            }
          />
        </Suspense>
      )}
    </>
  )
}

function showBlock(type: UserType) {
  const { parentName, reach, people, permissions } = type
  return (
    <>
      <div className="fc-block-head">
        <TypeLink type={type} />
        <span className="fc-small fc-number">{countUsers(people)}</span>
      </div>
      <div className="fc-small fc-faint">
        <bdi>{parentName === null ? 'Top level' : `Below ${parentName}`}</bdi>
      </div>
      <div className="fc-block-head fc-small">
        <span>{USER_TYPE_LIST.fields.reach.choices?.find(({ value }) => value === reach)?.label}</span>
        <span className="fc-soft fc-number">{count(permissions, 'permission', 'permissions')}</span>
      </div>
    </>
  )
}

/** Opens the permissions of a type. */
function TypeLink({ type }: { type: UserType }) {
  return (
    <MayOpen for={userTypes.get}>
      <Link
        from="/administration/user-types"
        to="/administration/user-types"
        search={{ type: type.id }}
        className="fc-name"
      >
        <bdi>{type.name}</bdi>
      </Link>
    </MayOpen>
  )
}
