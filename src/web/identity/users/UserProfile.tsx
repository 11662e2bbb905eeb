import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { User } from '#contract/identity/users/users.ts'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { NextSteps } from './NextSteps.tsx'
import { UserForm } from './UserForm.tsx'

/** Who the person is and where they work; with the next steps until they have a password. */
export function UserProfile({ user }: { user: User }) {
  const navigate = useNavigate()
  const { state } = useLocation()
  // What was saved or reloaded here begins the form anew; what is switched or mailed from the header must not.
  const [kept, setKept] = useState<User | null>(null)
  const latest = kept && kept.version > user.version ? kept : user
  return (
    <>
      {user.lock !== null && <Notice>{user.lock}</Notice>}
      <div className="fc-user-body">
        {user.state === 'invited' && <NextSteps user={user} />}
        <UserForm
          key={kept?.version}
          user={latest}
          onKept={setKept}
          onCreated={ignore}
          onCancel={() => void navigate({ to: '/administration/users', search: state.usersSearch ?? {} })}
        />
      </div>
    </>
  )
}

/** They are there already. */
function ignore(): void {}
