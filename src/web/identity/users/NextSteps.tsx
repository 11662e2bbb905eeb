import type { ReactNode } from 'react'
import type { User } from '#contract/identity/users/users.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { countDifferences, nameOrganizations } from './user-labels.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** The steps left before a new user's first sign-in, with a link to their permissions. */
export function NextSteps({ user }: { user: User }) {
  const { id, passwordMailAt, organizations, userTypeName } = user
  const differences = countDifferences(user)
  return (
    <section className="fc-next-steps" aria-label="Next steps">
      <h2>Before they can sign in</h2>
      <ul>
        <li>
          <Step isDone={organizations.length > 0}>Member of {nameOrganizations(user)}</Step>
        </li>
        <li>
          <Step isDone={passwordMailAt !== null}>
            {passwordMailAt === null
              ? 'Send the email with a link to set a password'
              : `Email with a link to set a password sent ${formatAgo(passwordMailAt)}`}
          </Step>
        </li>
        <li>
          <Step isDone={false}>They set a password and sign in</Step>
        </li>
      </ul>
      <p className="fc-small fc-soft">
        Permissions after that:{' '}
        <Link to="/administration/users/$id" params={{ id }} search={{ tab: 'permissions' }} state>
          <bdi>
            {userTypeName}
            {differences === '' ? '' : `, with ${differences}`}
          </bdi>
        </Link>
      </p>
    </section>
  )
}

function Step({ isDone, children }: { isDone: boolean; children: ReactNode }) {
  return (
    <Status tone={isDone ? 'good' : 'mute'} mark={isDone ? 'check' : 'wait'}>
      <bdi>{children}</bdi>
      <span className="fc-hidden">{isDone ? ', done' : ', not yet'}</span>
    </Status>
  )
}
