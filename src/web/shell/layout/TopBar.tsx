import { ActionIcon } from '@mantine/core'
import { IconKeyboard, IconMenu2, IconSearch, IconSelector } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { organizations } from '#contract/organizations/organizations.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { Mark } from '#web/ui/layout/Mark.tsx'
import { showKeys } from '../keys.ts'
import { openPanel } from './panels.ts'
import { UserMenu } from './UserMenu.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** Nothing to show before the second page. */
const RouteProgress = lazy(async () => ({ default: (await import('./RouteProgress.tsx')).RouteProgress }))

/** The jobs link can load after the page. */
const JobsLink = lazy(async () => ({ default: (await import('../JobsLink.tsx')).JobsLink }))

/** The current organization, search, jobs and the user menu. */
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
      <Suspense>
        <RouteProgress />
      </Suspense>
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
      <button
        type="button"
        className="fc-palette-field"
        aria-keyshortcuts="Control+K"
        onClick={() => openPanel('palette')}
      >
        <IconSearch size={16} stroke={1.6} aria-hidden="true" />
        <span className="fc-grow fc-cut">Search everything</span>
        <kbd className="fc-key" aria-hidden="true">
          {showKeys('Mod K')}
        </kbd>
      </button>
      <span className="fc-grow" />
      <ActionIcon
        className="fc-only-wide"
        size={32}
        aria-label="Shortcuts"
        aria-keyshortcuts="?"
        onClick={() => openPanel('shortcuts')}
      >
        <IconKeyboard size={18} stroke={1.6} />
      </ActionIcon>
      <Suspense fallback={<span className="fc-jobs-place fc-only-wide" />}>
        <JobsLink />
      </Suspense>
      <span className="fc-top-line fc-only-wide" />
      <UserMenu />
    </header>
  )
}
