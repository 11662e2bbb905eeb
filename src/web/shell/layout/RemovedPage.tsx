import { Button } from '@mantine/core'
import { IconBuilding } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useLocation } from '@tanstack/react-router'
import { organizations } from '#contract/organizations/organizations.ts'
import { query } from '#web/api/query.ts'
import { CHOOSE_ORGANIZATION } from '#web/session/guard.ts'
import { useSession } from '#web/session/use-session.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { KeptHere } from '#web/ui/feedback/KeptHere.tsx'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { useSignOut } from '../use-sign-out.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** What is shown instead of a page in an organization that its user can't work in any longer. */
export function RemovedPage({ title }: { title: string }) {
  const name = useSession().claims?.organizationName ?? ''
  const isAnyLeft = useIsAnyLeft()
  return (
    <div className="fc-list">
      <PageHeader title={title} context="" />
      <EmptyState
        isAlert
        tone="warn"
        icon={<IconBuilding size={18} />}
        title={`You no longer have access to ${name}`}
        text={
          isAnyLeft
            ? 'An administrator took it from you, or archived it. Choose another organization to continue, or ask an administrator to give it back.'
            : 'An administrator took it from you, or archived it, and you have no other organization. Ask an administrator for access.'
        }
      >
        <WayOut isAnyLeft={isAnyLeft} />
      </EmptyState>
      <KeptHere />
    </div>
  )
}

/** The same above a page that is also open without an organization. */
export function RemovedNotice() {
  const name = useSession().claims?.organizationName ?? ''
  return (
    <Notice>
      You no longer have access to {name}, so nothing of it can be read or saved.{' '}
      <WayOut isAnyLeft={useIsAnyLeft()} />
    </Notice>
  )
}

function useIsAnyLeft(): boolean {
  return useQuery(query(organizations.change, {})).data?.length !== 0
}

function WayOut({ isAnyLeft }: { isAnyLeft: boolean }) {
  const signOut = useSignOut()
  const next = useLocation().href
  if (isAnyLeft)
    return (
      <Link to={CHOOSE_ORGANIZATION} search={{ next }}>
        Choose another organization
      </Link>
    )
  return (
    <Button variant="default" size="compact-sm" onClick={signOut}>
      Sign out
    </Button>
  )
}
