import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { User } from '#contract/identity/users/users.ts'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { NextSteps } from './NextSteps.tsx'
import { UserForm } from './UserForm.tsx'

/** The user's profile, with next steps until they have a password. */
export function UserProfile({ user }: { user: User }) {
  const navigate = useNavigate()
  const { state } = useLocation()
  // The form goes on with what is saved or reloaded here. Actions in the header don't change what it shows.
  const [kept, setKept] = useState<User | null>(null)
  const latest = kept && kept.version > user.version ? kept : user
  return (
    <>
      {user.lock !== null && <Notice>{user.lock}</Notice>}
      <div className="fc-user-body">
        {user.state === 'invited' && <NextSteps user={user} />}
        <UserForm
          user={latest}
          onKept={setKept}
          onCreated={ignore}
          onCancel={() => void navigate({ to: '/administration/users', search: state.usersSearch ?? {} })}
        />
      </div>
    </>
  )
}

/** The user already exists. */
function ignore(): void {}
