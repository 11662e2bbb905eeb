import { IconMapQuestion } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'

/** An address that leads nowhere, inside the shell, so that the way on is at hand. */
export function NotFoundPage() {
  return (
    <div className="fc-list">
      <PageHeader title="Page not found" context="" />
      <EmptyState
        icon={<IconMapQuestion size={18} />}
        title="There is no page at this address"
        text="The link may be old, or the page may belong to something that is not part of this product."
      >
        <Link to="/dashboard">Go to the dashboard</Link>
      </EmptyState>
    </div>
  )
}
