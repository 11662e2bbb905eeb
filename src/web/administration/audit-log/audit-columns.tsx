import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { auditLog } from '#contract/administration/audit-log.ts'
import type { AUDIT_LIST } from '#contract/administration/audit-list.ts'
import type { AuditEntry } from '#contract/administration/audit-log.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import { actorOf, labelOfKind, describeEntry } from './audit-labels.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** Custom cells. */
export const CELLS: Cells<AuditEntry, keyof typeof AUDIT_LIST.fields> = {
  what: (entry) => <EntryLink entry={entry} />,
  at: ({ at }) => <Moment at={at} />,
  actor: (entry) => <bdi>{actorOf(entry)}</bdi>,
  kind: ({ kind }) => labelOfKind(kind),
}

export const WIDTHS = { what: 340, actor: 176, effective: 176, kind: 176 }

/** A row on a narrow screen. */
export function AuditBlock({ entry }: { entry: AuditEntry }) {
  return (
    <>
      <div className="fc-block-head">
        <EntryLink entry={entry} />
        <span className="fc-small fc-soft fc-number">
          <Moment at={entry.at} />
        </span>
      </div>
      <div className="fc-small fc-faint">
        <AuditUser entry={entry} />
      </div>
    </>
  )
}

/** The user, and the user they impersonated. */
export function AuditUser({ entry }: { entry: Pick<AuditEntry, 'actor' | 'effective' | 'kind'> }) {
  return (
    <>
      <bdi>{actorOf(entry)}</bdi>
      {entry.effective !== null && (
        <>
          {' '}
          as <bdi>{entry.effective}</bdi>
        </>
      )}
    </>
  )
}

export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={exactly.format(new Date(at))}>
      {formatAgo(at)}
    </time>
  )
}

function EntryLink({ entry }: { entry: AuditEntry }) {
  return (
    <MayOpen for={auditLog.get}>
      <Link
        from="/administration/audit-log"
        to="/administration/audit-log"
        search={(before) => ({ ...before, entry: entry.id })}
        className="fc-name"
      >
        <bdi>{describeEntry(entry)}</bdi>
      </Link>
    </MayOpen>
  )
}
