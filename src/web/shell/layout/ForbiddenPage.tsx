import { IconLock } from '@tabler/icons-react'
import { isPlatformOnly, type Permission } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import { HomeLink } from '../HomeLink.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { KeptHere } from '#web/ui/feedback/KeptHere.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'

type Props = { title: string; needs: Permission }

/** A page the user can't open: the required permission, and who can grant it. */
export function ForbiddenPage({ title, needs }: Props) {
  const granter = isPlatformOnly(needs.func)
    ? 'Only platform staff can have this permission.'
    : 'An administrator of your user types can grant it.'
  return (
    <div className="fc-list">
      <PageHeader title={title} context="" />
      <EmptyState
        isAlert
        tone="warn"
        icon={<IconLock size={18} />}
        title="You don't have access to this page"
        text={`This requires ${describe(needs)}. ${granter}`}
      >
        <HomeLink />
      </EmptyState>
      <KeptHere />
    </div>
  )
}
