import { useLocation, useNavigate } from '@tanstack/react-router'
import { UserForm } from './UserForm.tsx'
import { UserHeader } from './UserHeader.tsx'

/** The blank form for a new user. Saving opens the user's page. */
export function NewUser() {
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
