import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useLocation } from '@tanstack/react-router'
import { type User, users } from '#contract/identity/users/users.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { UserSessions } from '../sessions/UserSessions.tsx'
import { NewUser } from './NewUser.tsx'
import { UserActions } from './UserActions.tsx'
import { UserActivity } from './UserActivity.tsx'
import { UserHeader } from './UserHeader.tsx'
import { UserPermissions } from './UserPermissions.tsx'
import { UserProfile } from './UserProfile.tsx'
import { nameOfUser } from './user-labels.ts'
import '#web/ui/record/record-page.css'
import './users.css'

const route = getRouteApi('/shell/administration/users/$id')

const TABS = [
  { tab: undefined, title: 'Profile' },
  { tab: 'permissions', title: 'Permissions' },
  { tab: 'sessions', title: 'Sessions' },
  { tab: 'activity', title: 'Activity' },
] as const

/** A user's profile, permissions, sessions and activity; or the blank form for a new user. */
export function UserPage() {
  const { id } = route.useParams()
  if (id === 'new') return <NewUser />
  return <OpenUser key={id} id={id} />
}

function OpenUser({ id }: { id: string }) {
  const { data, error, isPending, refetch } = useQuery({
    ...query(users.get, { id }),
    // A form being edited keeps the version it started with.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <div className="fc-list fc-user-page">
      <UserHeader user={data ?? null} title="User">
        {data && <UserActions user={data} />}
      </UserHeader>
      {error && !data && (
        <FailureState failure={error} endpoint={users.get} what="this user" onRetry={() => void refetch()} />
      )}
      {isPending && <Spinner label="Loading the user" />}
      {data && <Tabs user={data} />}
    </div>
  )
}

function Tabs({ user }: { user: User }) {
  const { tab } = route.useSearch()
  const { pathname } = useLocation()
  const shown = tab === 'profile' ? undefined : tab
  return (
    <>
      <nav className="fc-tabs" aria-label="Sections of this user">
        {TABS.map((one) => (
          <Link
            key={one.title}
            to={pathname}
            search={one.tab ? { tab: one.tab } : {}}
            state
            activeOptions={{ exact: true, includeSearch: true }}
            {...(one.tab === shown && { 'aria-current': 'page' as const })}
          >
            {one.title}
            {one.tab === 'permissions' && user.differences > 0 && (
              <span className="fc-badge fc-tint-mute">
                {user.differences}
                <span className="fc-hidden"> permission overrides</span>
              </span>
            )}
          </Link>
        ))}
      </nav>
      {shown === undefined && <UserProfile user={user} />}
      {shown === 'permissions' && <UserPermissions user={user} />}
      {shown === 'sessions' && (
        <UserSessions user={{ id: user.id, name: nameOfUser(user), lock: user.lock }} />
      )}
      {shown === 'activity' && <UserActivity id={user.id} />}
    </>
  )
}
