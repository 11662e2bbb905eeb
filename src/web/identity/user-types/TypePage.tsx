import { useMediaQuery } from '@mantine/hooks'
import { IconChevronRight, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { userTypes } from '#contract/identity/user-types/user-types.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import { TypeActions } from './TypeActions.tsx'
import type { TypeDrawerKind } from './TypeDrawer.tsx'
import { describeType } from './type-labels.ts'
import { TypePermissions } from './TypePermissions.tsx'
import { TypeSelect } from './TypeSelect.tsx'
import { TypeTree } from './TypeTree.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/administration/user-types')
const TypeDrawer = lazy(async () => ({ default: (await import('./TypeDrawer.tsx')).TypeDrawer }))

/** The permissions of a user type, next to the tree of types the caller can manage. */
export function TypePage({ id }: { id: string }) {
  const { drawer } = route.useSearch()
  const navigate = route.useNavigate()
  const isNarrow = useMediaQuery('(max-width: 991px)', false, { getInitialValueInEffect: false })
  const { data: choices = null, error, refetch } = useQuery(query(userTypes.forParent, {}))
  const open = (kind: TypeDrawerKind | undefined, { isSaved = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, drawer: kind }), ignoreBlocker: isSaved })
  const choose = (type: string | undefined, { isSaved = false, isTyping = false } = {}) =>
    void navigate({ search: { type, ...(isTyping && { drawer: 'edit' }) }, ignoreBlocker: isSaved })
  const { claims } = useSession()
  const own = choices?.find((choice) => choice.id === claims?.impersonateUserTypeId)
  const chosen = choices?.find((choice) => choice.id === id)
  const name = chosen?.name ?? 'User type'

  return (
    <div className="fc-list fc-types-page">
      <header className="fc-page-header">
        <div className="fc-grow">
          <nav className="fc-crumbs" aria-label="Breadcrumb">
            <Link from="/administration/user-types" to="/administration/user-types" search={{}}>
              User types
            </Link>
            <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
            <span className="fc-cut" aria-current="page">
              <bdi>{name}</bdi>
            </span>
          </nav>
          <RecordHeading name={name} />
          <p aria-live="polite">
            <bdi>{chosen ? describeType(chosen, own) : ''}</bdi>
          </p>
        </div>
        <div className="fc-row">
          {chosen && (
            <TypeActions
              choice={chosen}
              onOpen={open}
              onRemoved={() => choose(undefined, { isSaved: true })}
            />
          )}
          {choices && (
            <Action
              for={userTypes.add}
              onClick={() => open('new')}
              leftSection={<IconPlus size={16} aria-hidden="true" />}
            >
              Add user type
            </Action>
          )}
        </div>
      </header>
      {error && !choices ? (
        <FailureState
          failure={error}
          endpoint={userTypes.forParent}
          what="the user types"
          onRetry={() => void refetch()}
        />
      ) : (
        <div className="fc-types-body">
          {isNarrow && choices && (
            <div className="fc-types-select">
              <TypeSelect
                label="User type"
                choices={choices}
                value={chosen?.id ?? null}
                onChange={(next) => choose(next ?? undefined)}
              />
            </div>
          )}
          {!isNarrow && <TypeTree choices={choices} selectedId={id} />}
          <TypePermissions key={`${id} ${drawer ?? ''}`} id={id} choices={choices} />
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
            onCreated={(created, { isTyping }) => choose(created, { isSaved: true, isTyping })}
          />
        </Suspense>
      )}
    </div>
  )
}
