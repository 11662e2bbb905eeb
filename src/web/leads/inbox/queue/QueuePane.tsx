import { type Lead, LEAD_TYPES } from '#contract/leads/inbox/lead-list.ts'
import { labelOf } from '#contract/record.ts'
import { LeadClock } from '../lead/LeadClock.tsx'
import { Preview } from './lead-columns.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  rows: readonly Lead[]
  openId: string | undefined
  /** Enter or a click on the open lead. */
  onEnter: () => void
}

/** The leads of a queue in three lines each. Those that wait for nothing follow under a stronger line. */
export function QueuePane({ rows, openId, onEnter }: Props) {
  const isWaiting = ({ waitsUntil, unansweredSince }: Lead) => waitsUntil !== null || unansweredSince !== null
  return (
    <ol className="fc-lead-queue-list" aria-label="Leads">
      {rows.map((lead, at) => {
        const before = rows[at - 1]
        const isBreak = before !== undefined && isWaiting(before) && !isWaiting(lead)
        return (
          <li key={lead.id} data-break={isBreak || undefined}>
            <QueueRow lead={lead} isOpen={lead.id === openId} onEnter={onEnter} />
          </li>
        )
      })}
    </ol>
  )
}

function QueueRow({ lead, isOpen, onEnter }: { lead: Lead; isOpen: boolean; onEnter: () => void }) {
  const { id, personName, vehicleTitle, type, sourceName, isSoldElsewhere, unfinished } = lead
  return (
    <Link
      from="/customers/leads"
      to="/customers/leads"
      search={(before) => ({ ...before, lead: id })}
      className="fc-lead-row"
      data-lead={id}
      aria-current={isOpen ? 'true' : undefined}
      onClick={() => isOpen && onEnter()}
    >
      <span className="fc-lead-line">
        <b className="fc-cut">
          <bdi>{personName}</bdi>
        </b>
        <span className="fc-small">
          <LeadClock lead={lead} />
        </span>
      </span>
      <span className="fc-lead-line fc-small fc-soft">
        <bdi className="fc-cut">
          {`${vehicleTitle ?? labelOf(LEAD_TYPES, type)}${isSoldElsewhere ? ', sold' : ''}${unfinished === null ? '' : ', unfinished form'}`}
        </bdi>
        <bdi>{sourceName}</bdi>
      </span>
      <span className="fc-lead-line fc-small fc-soft">
        <Preview lead={lead} />
      </span>
    </Link>
  )
}
