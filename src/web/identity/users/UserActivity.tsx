import { IconHistory } from '@tabler/icons-react'
import { users } from '#contract/identity/users/users.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Timeline } from '#web/ui/record/Timeline.tsx'

/** The latest changes to a user, newest first. */
export function UserActivity({ id }: { id: string }) {
  return (
    <Timeline
      query={query(users.activity, { id })}
      what="the activity"
      title="Activity"
      className="fc-user-body"
      entries={(changes) => changes.map(({ at, by, what }) => ({ at, by, what: <bdi>{what}</bdi> }))}
      empty={
        <EmptyState
          icon={<IconHistory size={18} />}
          title="No activity yet"
          text="Changes to this user and their permissions appear here, with who made them."
        />
      }
    />
  )
}
