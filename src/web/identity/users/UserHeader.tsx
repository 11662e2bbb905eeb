import { IconChevronRight } from '@tabler/icons-react'
import { useLocation } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { User } from '#contract/identity/users/users.ts'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import { explainStatus, nameOfUser, nameOrganizations, formatLastSignIn } from './user-labels.ts'
import { UserStatus } from './UserStatus.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  /** Null while loading, and for a new user. */
  user: User | null
  /** Shown instead of the name. */
  title: string
  /** Shown instead of the description. */
  about?: string
  children?: ReactNode
}

/** Breadcrumb back to the list in its last state, the user's name, and actions. */
export function UserHeader({ user, title, about = '', children }: Props) {
  const { state } = useLocation()
  const name = user ? nameOfUser(user) : title
  return (
    <header className="fc-page-header">
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/administration/users" search={state.usersSearch ?? {}}>
            Users
          </Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <span className="fc-cut" aria-current="page">
            <bdi>{name}</bdi>
          </span>
        </nav>
        <div className="fc-title-row">
          <RecordHeading name={name} />
          {user && <UserStatus state={user.state} isPill />}
        </div>
        <p aria-live="polite">
          <bdi>{user ? describe(user) : about}</bdi>
        </p>
      </div>
      <div className="fc-row">{children}</div>
    </header>
  )
}

function describe(user: User): string {
  const where = `${user.userTypeName} in ${nameOrganizations(user)}.`
  const waiting = explainStatus(user)
  return `${where} ${waiting === '' ? formatLastSignIn(user) : waiting}.`
}
