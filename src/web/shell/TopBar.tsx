import { ActionIcon } from '@mantine/core'
import { IconMenu2, IconSelector } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { organizations } from '#contract/organizations/organizations.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { showError } from '#web/ui/dialogs.tsx'
import { Mark } from '#web/ui/Mark.tsx'
import { RouteProgress } from './RouteProgress.tsx'
import { UserMenu } from './UserMenu.tsx'

/** The organization one acts in, the way to another one, and the person. */
export function TopBar({ onMenu }: { onMenu?: () => void }) {
  const { claims } = useSession()
  const id = claims?.organizationId ?? ''
  const { data, error } = useQuery({ ...query(organizations.get, { id }), enabled: id !== '' })
  // Specification section 8: a failure to load the organization opens a dialog with the server's message.
  useEffect(() => {
    if (error) showError(error)
  }, [error])
  const name = data?.name ?? claims?.organizationName ?? ''
  return (
    <header className="fc-top">
      <RouteProgress />
      {onMenu && (
        <ActionIcon size={32} aria-label="Open menu" onClick={onMenu}>
          <IconMenu2 size={20} stroke={1.6} />
        </ActionIcon>
      )}
      <div className="fc-top-organization">
        <Mark logo={data?.logo ?? null} name={name} />
        <span className="fc-grow fc-cut">
          <bdi>{name}</bdi>
        </span>
        <Link to="/auth/organization" className="fc-icon-link" aria-label="Switch organization">
          <IconSelector size={16} stroke={1.6} />
        </Link>
      </div>
      <span className="fc-grow" />
      <UserMenu />
    </header>
  )
}
