import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { leads } from '#contract/leads/inbox/leads.ts'
import {
  type Lead,
  type LEAD_LIST,
  LEAD_OUTCOMES,
  LEAD_STATUSES,
  LEAD_TYPES,
} from '#contract/leads/inbox/lead-list.ts'
import { labelOf } from '#contract/record.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { formatAgo } from '#web/ui/layout/date-format.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { LeadClock } from '../lead/LeadClock.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells of the list. */
export const CELLS: Cells<Lead, keyof typeof LEAD_LIST.fields> = {
  personName: (lead) => (
    <>
      <LeadLink lead={lead} />
      <Preview lead={lead} />
    </>
  ),
  waitsUntil: (lead) => <LeadClock lead={lead} />,
  vehicleTitle: ({ vehicleTitle, type }) => <bdi>{vehicleTitle ?? labelOf(LEAD_TYPES, type)}</bdi>,
  lot: ({ lotName }) => <bdi>{lotName}</bdi>,
  ownerName: ({ ownerName, acceptedAt }) => (
    <>
      <bdi>{ownerName ?? <span className="fc-faint">No one</span>}</bdi>
      {ownerName !== null && acceptedAt === null && <span className="fc-second">Not accepted yet</span>}
    </>
  ),
  status: (lead) => <LeadStatus lead={lead} />,
  outcome: ({ outcome, lostReason }) => (
    <>
      {labelOf(LEAD_OUTCOMES, outcome)}
      {lostReason !== null && (
        <span className="fc-second">
          <bdi>{lostReason}</bdi>
        </span>
      )}
    </>
  ),
  personPhone: ({ personPhone }) => <bdi className="fc-number">{personPhone}</bdi>,
  receivedAt: ({ receivedAt }) => <time dateTime={receivedAt}>{formatAgo(receivedAt)}</time>,
}

export const WIDTHS = {
  personName: 260,
  waitsUntil: 200,
  vehicleTitle: 204,
  sourceName: 132,
  type: 120,
  lot: 160,
  ownerName: 148,
  status: 132,
  outcome: 132,
  receivedAt: 116,
}

/** A row on a narrow screen. */
export function LeadBlock({ lead }: { lead: Lead }) {
  const { vehicleTitle, type, sourceName, ownerName } = lead
  return (
    <>
      <div className="fc-block-head">
        <LeadLink lead={lead} />
        <span className="fc-small">
          <LeadClock lead={lead} />
        </span>
      </div>
      <div className="fc-small fc-faint">
        <bdi>
          {[vehicleTitle ?? labelOf(LEAD_TYPES, type), sourceName, ownerName ?? 'no owner'].join(', ')}
        </bdi>
      </div>
      <div className="fc-small">
        <Preview lead={lead} />
      </div>
    </>
  )
}

const LOOKS = {
  received: { tone: 'info', mark: 'wait' },
  routed: { tone: 'info', mark: 'half' },
  delivered: { tone: 'good', mark: 'check' },
  failed: { tone: 'bad', mark: 'alert' },
  quarantined: { tone: 'warn', mark: 'alert' },
  duplicate: { tone: 'mute', mark: 'dash' },
} as const

/** How far a lead has come on its way. */
export function LeadStatus({ lead: { status, unfinished, isTest } }: { lead: Lead }) {
  return (
    <Status {...LOOKS[status]}>
      {labelOf(LEAD_STATUSES, status)}
      {unfinished !== null && ', unfinished form'}
      {isTest && ', test'}
    </Status>
  )
}

/** The latest message, with who wrote it. */
export function Preview({ lead: { preview, previewBy } }: { lead: Lead }) {
  if (preview === null) return null
  return (
    <span className="fc-second">
      <bdi>{previewBy === 'store' ? `You: ${preview}` : preview}</bdi>
    </span>
  )
}

/** Opens the lead of the row. */
function LeadLink({ lead: { id, personName } }: { lead: Lead }) {
  return (
    <MayOpen for={leads.get}>
      <Link
        from="/customers/leads"
        to="/customers/leads"
        search={(before) => ({ ...before, lead: id })}
        className="fc-name"
      >
        <bdi>{personName}</bdi>
      </Link>
    </MayOpen>
  )
}
