import { IconMapQuestion } from '@tabler/icons-react'
import { HomeLink } from '../HomeLink.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'

/** Shown for unknown addresses, with the navigation. */
export function NotFoundPage() {
  return (
    <div className="fc-list">
      <PageHeader title="Page not found" context="" />
      <EmptyState
        icon={<IconMapQuestion size={18} />}
        title="This page doesn't exist"
        text="The link may be out of date, or the address may be mistyped."
      >
        <HomeLink />
      </EmptyState>
    </div>
  )
}
