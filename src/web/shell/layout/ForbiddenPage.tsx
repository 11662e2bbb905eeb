import { IconLock } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { describe, isPlatformOnly, type Permission } from '#contract/permissions.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'

type Props = { title: string; needs: Permission }

/** A page one may not open: which function and operation it takes, and who can grant it. */
export function ForbiddenPage({ title, needs }: Props) {
  const granter = isPlatformOnly(needs.func)
    ? 'Only people of the platform can have it.'
    : 'Whoever administers the user types of your customer can grant it.'
  return (
    <div className="fc-list">
      <PageHeader title={title} context="" />
      <EmptyState
        isAlert
        tone="warn"
        icon={<IconLock size={18} />}
        title="You may not open this page"
        text={`It needs ${describe(needs)}. ${granter}`}
      >
        {title !== 'Dashboard' && <Link to="/dashboard">Go to the dashboard</Link>}
      </EmptyState>
    </div>
  )
}
