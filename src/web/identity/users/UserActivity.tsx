import { IconHistory } from '@tabler/icons-react'
import { users } from '#contract/identity/users/users.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { TimelineSkeleton } from '#web/ui/layout/TimelineSkeleton.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'

const exactTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })

/** The latest changes to a user, newest first. */
export function UserActivity({ id }: { id: string }) {
  return (
    <Loaded
      query={query(users.activity, { id })}
      what="the activity"
      shape={
        <div className="fc-user-body">
          <TimelineSkeleton title="Loading the activity" />
        </div>
      }
    >
      {(data) => {
        if (data.length === 0) {
          return (
            <EmptyState
              icon={<IconHistory size={18} />}
              title="No activity yet"
              text="Changes to this user and their permissions appear here, with who made them."
            />
          )
        }
        return (
          <div className="fc-user-body">
            <ol className="fc-timeline" aria-label="Activity">
              {data.map(({ at, by, what }, index) => (
                <li key={`${at} ${index}`}>
                  <span>
                    <bdi>{what}</bdi>
                  </span>
                  <span className="fc-second">
                    {by !== null && (
                      <>
                        <bdi>{by}</bdi>,{' '}
                      </>
                    )}
                    <time dateTime={at} title={exactTime.format(new Date(at))}>
                      {formatAgo(at)}
                    </time>
                  </span>
                </li>
              ))}
            </ol>
          </div>
        )
      }}
    </Loaded>
  )
}
