import { auditLog, type OpenAuditEntry } from '#contract/administration/audit-log.ts'
import { query } from '#web/api/query.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { DetailDrawer } from '#web/ui/record/DetailDrawer.tsx'
import type { Fact } from '#web/ui/record/Facts.tsx'
import { AuditUser } from './audit-columns.tsx'
import { labelOfKind, describeEntry } from './audit-labels.ts'
import { AuditChanges } from './AuditChanges.tsx'

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/** One entry: user, impersonated user, time, API call, and the values before and after. */
export function AuditDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  return (
    <DetailDrawer
      query={query(auditLog.get, { id })}
      what="this entry"
      noun="Entry"
      size={640}
      onClose={onClose}
      renderParts={(entry) => ({
        title: describeEntry(entry),
        about: formatAgo(entry.at),
        facts: factsOf(entry),
      })}
    >
      {(entry) => <AuditChanges entry={entry} />}
    </DetailDrawer>
  )
}

function factsOf(entry: OpenAuditEntry): Fact[] {
  return [
    ['User', <AuditUser key="user" entry={entry} />],
    [
      'Time',
      <time key="time" dateTime={entry.at}>
        {exactly.format(new Date(entry.at))}
      </time>,
    ],
    ['Record', <span key="record">{labelOfKind(entry.kind)}</span>],
    ['Organization', entry.organizationName],
    ['Address', entry.address],
    ['Device', entry.device],
    // Of an event, its sentence says what was done.
    ...(entry.operation === 'event' ? [] : [['API call', entry.call] satisfies Fact]),
  ]
}
