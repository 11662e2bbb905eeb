import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { auditLog, type OpenAuditEntry } from '#contract/administration/audit-log.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { RecordSkeleton } from '#web/ui/layout/RecordSkeleton.tsx'
import { AuditUser } from './audit-columns.tsx'
import { labelOfKind, describeEntry } from './audit-labels.ts'
import { AuditChanges } from './AuditChanges.tsx'

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/** One entry: user, impersonated user, time, API call, and the values before and after. */
export function AuditDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, isPending, refetch } = useQuery(query(auditLog.get, { id }))
  return (
    <FormDrawer
      title={data ? describeEntry(data) : 'Entry'}
      about={data && formatAgo(data.at)}
      size={640}
      onClose={onClose}
    >
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={auditLog.get}
          what="this entry"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <RecordSkeleton label="Loading the entry" shape="facts" />}
      {data && (
        <div className="fc-form">
          <div className="fc-audit">
            <Facts entry={data} />
            <AuditChanges entry={data} />
          </div>
          <div className="fc-form-footer">
            <span className="fc-grow" />
            <Button variant="default" onClick={onClose}>
              Close
            </Button>
          </div>
        </div>
      )}
    </FormDrawer>
  )
}

function Facts({ entry }: { entry: OpenAuditEntry }) {
  return (
    <dl className="fc-audit-facts">
      <div>
        <dt>User</dt>
        <dd>
          <AuditUser entry={entry} />
        </dd>
      </div>
      <div>
        <dt>Time</dt>
        <dd>
          <time dateTime={entry.at}>{exactly.format(new Date(entry.at))}</time>
        </dd>
      </div>
      <div>
        <dt>Record</dt>
        <dd>
          {labelOfKind(entry.kind)} <bdi>{entry.rowId}</bdi>
        </dd>
      </div>
      {entry.organizationName !== null && (
        <div>
          <dt>Organization</dt>
          <dd>
            <bdi>{entry.organizationName}</bdi>
          </dd>
        </div>
      )}
      {entry.call !== null && (
        <div>
          <dt>API call</dt>
          <dd>
            <bdi>{entry.call}</bdi>
          </dd>
        </div>
      )}
    </dl>
  )
}
