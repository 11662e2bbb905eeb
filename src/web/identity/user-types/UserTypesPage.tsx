import { useMediaQuery } from '@mantine/hooks'
import { IconPlus, IconShieldPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { type UserTypeChoice, userTypes } from '#contract/identity/user-types.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { Action } from '#web/ui/Action.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { FailureState } from '#web/ui/FailureState.tsx'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { TypeActions } from './TypeActions.tsx'
import type { TypeDrawerKind } from './TypeDrawer.tsx'
import { describeType } from './type-words.ts'
import { TypePermissions } from './TypePermissions.tsx'
import { TypeSelect } from './TypeSelect.tsx'
import { TypeTree } from './TypeTree.tsx'
import './user-types.css'

const route = getRouteApi('/shell/administration/user-types')
const TypeDrawer = lazy(async () => ({ default: (await import('./TypeDrawer.tsx')).TypeDrawer }))

/** The user types the person keeps, as a tree, with what the chosen one grants. */
export function UserTypesPage() {
  const { type, drawer } = route.useSearch()
  const navigate = route.useNavigate()
  const isNarrow = useMediaQuery('(max-width: 991px)', false, { getInitialValueInEffect: false })
  const { data: choices = null, error, refetch } = useQuery(query(userTypes.forParent, {}))
  const open = (kind: TypeDrawerKind | undefined, { isSaved = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, drawer: kind }), ignoreBlocker: isSaved })
  const choose = (id: string | undefined, { isSaved = false } = {}) =>
    void navigate({ search: { type: id }, ignoreBlocker: isSaved })

  const { claims } = useSession()
  const own = choices?.find(({ id }) => id === claims?.impersonateUserTypeId)
  const chosen = findChosen(choices, type)
  const isAlone = choices?.length === 1 && type === undefined
  const add = (
    <Action
      for={userTypes.add}
      onClick={() => open('new')}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      New user type
    </Action>
  )

  return (
    <div className="fc-list fc-types-page">
      <PageHeader
        title={isAlone ? 'User types' : (chosen?.name ?? 'User types')}
        context={chosen && !isAlone ? describeType(chosen, own) : ''}
      >
        {chosen && !isAlone && (
          <TypeActions choice={chosen} onOpen={open} onRemoved={() => choose(undefined, { isSaved: true })} />
        )}
        {choices && add}
      </PageHeader>
      {error && !choices && (
        <FailureState
          failure={error}
          endpoint={userTypes.forParent}
          what="the user types"
          onRetry={() => void refetch()}
        />
      )}
      {(choices || !error) && (
        <div className="fc-types-body">
          {isNarrow && choices && (
            <div className="fc-types-select">
              <TypeSelect
                label="User type"
                choices={choices}
                value={chosen?.id ?? null}
                onChange={(id) => choose(id ?? undefined)}
              />
            </div>
          )}
          {!isNarrow && <TypeTree choices={choices} selectedId={chosen?.id ?? type} />}
          {isAlone && (
            <EmptyState
              tone="brand"
              icon={<IconShieldPlus size={18} />}
              title={`Only ${choices[0]?.name ?? ''} so far`}
              text="A user type is a named set of permissions for the people you add. It never holds more than yours."
            >
              {add}
            </EmptyState>
          )}
          {!isAlone && (
            <TypePermissions
              key={`${chosen?.id ?? type ?? ''} ${drawer ?? ''}`}
              id={chosen?.id ?? type}
              choices={choices}
            />
          )}
        </div>
      )}
      {drawer !== undefined && choices && chosen && (
        <Suspense>
          <TypeDrawer
            key={drawer}
            kind={drawer}
            choice={chosen}
            choices={choices}
            onClose={(isSaved) => open(undefined, { isSaved })}
            onCreated={(id) => choose(id, { isSaved: true })}
          />
        </Suspense>
      )}
    </div>
  )
}

/** The one in the address; without any, the first that the person may change. */
function findChosen(
  choices: readonly UserTypeChoice[] | null,
  id: string | undefined,
): UserTypeChoice | undefined {
  if (id !== undefined) return choices?.find((choice) => choice.id === id)
  return choices?.find(({ lock }) => lock === null) ?? choices?.[0]
}
