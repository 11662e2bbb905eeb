import { Button } from '@mantine/core'
import { auditLog, type OpenAuditEntry } from '#contract/administration/audit-log.ts'
import { query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { AuditUser } from './audit-columns.tsx'
import { labelOfKind, describeEntry } from './audit-labels.ts'
import { AuditChanges } from './AuditChanges.tsx'

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/** One entry: user, impersonated user, time, API call, and the values before and after. */
export function AuditDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const load = useLoad(query(auditLog.get, { id }))
  const { data } = load
  return (
    <FormDrawer
      title={data ? describeEntry(data) : 'Entry'}
      about={data && formatAgo(data.at)}
      size={640}
      onClose={onClose}
    >
      <Loaded query={load} what="this entry" shape="facts">
        {(loaded) => (
          <div className="fc-form">
            <div className="fc-audit">
              <Facts entry={loaded} />
              <AuditChanges entry={loaded} />
            </div>
            <div className="fc-form-footer">
              <span className="fc-grow" />
              <Button variant="default" onClick={onClose}>
                Close
              </Button>
            </div>
          </div>
        )}
      </Loaded>
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
