import { sessions } from '#contract/identity/sessions/sessions.ts'
import { useMayCall } from '#web/ui/controls/use-may-call.ts'
import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router'
import { type User, users } from '#contract/identity/users/users.ts'
import { query } from '#web/api/query.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { UserSessions } from '../sessions/UserSessions.tsx'
import { UserActions } from './UserActions.tsx'
import { UserActivity } from './UserActivity.tsx'
import { UserHeader } from './UserHeader.tsx'
import { UserPermissions } from './UserPermissions.tsx'
import { UserProfile } from './UserProfile.tsx'
import { nameOfUser } from './user-labels.ts'
import '#web/ui/record/record-page.css'
import './users.css'
import { UserForm } from './UserForm.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

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
  const load = useLoad({
    ...query(users.get, { id }),
    // A form being edited keeps the version it started with.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const { data } = load
  return (
    <div className="fc-list fc-user-page">
      <UserHeader user={data ?? null} title="User">
        {data && <UserActions user={data} />}
      </UserHeader>
      <Loaded query={load} what="this user" shape="spinner">
        {(loaded) => <Tabs user={loaded} />}
      </Loaded>
    </div>
  )
}

function Tabs({ user }: { user: User }) {
  const { tab } = route.useSearch()
  const { pathname } = useLocation()
  const shown = tab === 'profile' ? undefined : tab
  const maySeeSessions = useMayCall(sessions.ofPerson)
  return (
    <>
      <nav className="fc-tabs" aria-label="Sections of this user">
        {TABS.filter(({ tab: id }) => id !== 'sessions' || maySeeSessions).map((one) => (
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

/** The blank form for a new user. Saving opens the user's page. */
function NewUser() {
  const navigate = useNavigate()
  const { state } = useLocation()
  return (
    <div className="fc-list fc-user-page">
      <UserHeader user={null} title="New user" about="Someone who can sign in." />
      <div className="fc-user-body">
        <UserForm
          user={null}
          onKept={ignore}
          onCreated={(id) =>
            void navigate({
              to: '/administration/users/$id',
              params: { id },
              state: { ...(state.usersSearch && { usersSearch: state.usersSearch }) },
              replace: true,
              ignoreBlocker: true,
            })
          }
          onCancel={() => void navigate({ to: '/administration/users', search: state.usersSearch ?? {} })}
        />
      </div>
    </div>
  )
}

/** The page of the new user opens instead. */
function ignore(): void {}
