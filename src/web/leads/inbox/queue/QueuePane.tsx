import { Box } from '@mantine/core'
import { useIntersection } from '@mantine/hooks'
import { useEffect } from 'react'
import { type Lead, LEAD_TYPES } from '#contract/leads/inbox/lead-list.ts'
import { labelOf } from '#contract/record.ts'
import { LeadClock } from '../lead/LeadClock.tsx'
import { Preview } from './lead-columns.tsx'
import type { QueueSelection } from './queue-selection.tsx'
import { RowCheck } from '#web/ui/list/selection/RowCheck.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = {
  rows: readonly Lead[]
  openId: string | undefined
  /** Enter or a click on the open lead. */
  onEnter: () => void
  /** Whether the rows are of several stores, which they name then. */
  namesStores: boolean
  /** Null: leads can't be chosen. */
  selection: QueueSelection | null
}

/** The leads of a queue in three lines each. Those that wait for nothing follow under a stronger line. */
export function QueuePane({ rows, openId, onEnter, namesStores, selection }: Props) {
  const isWaiting = ({ waitsUntil, unansweredSince }: Lead) => waitsUntil !== null || unansweredSince !== null
  return (
    <ol className="fc-lead-queue-list" aria-label="Leads">
      {rows.map((lead, at) => {
        const before = rows[at - 1]
        const isBreak = before !== undefined && isWaiting(before) && !isWaiting(lead)
        return (
          <Box
            component="li"
            key={lead.id}
            data-break={isBreak || undefined}
            pos="relative"
            bg={selection?.isOn(lead.id) === true ? 'var(--fc-sunken)' : ''}
          >
            {selection !== null && (
              <Box
                pos="absolute"
                w={CHECK_WIDTH}
                style={{ insetBlock: 0, insetInlineStart: 0 }}
                __vars={CHECK}
              >
                <RowCheck
                  label={`Select ${lead.personName}`}
                  isOn={selection.isOn(lead.id)}
                  onChange={(isOn, how) => selection.toggle(lead.id, isOn, how)}
                />
              </Box>
            )}
            <QueueRow
              lead={lead}
              isOpen={lead.id === openId}
              onEnter={onEnter}
              namesStores={namesStores}
              hasCheck={selection !== null}
            />
          </Box>
        )
      })}
    </ol>
  )
}

/** The checkbox has the full height of its row, beside its text. */
const CHECK_WIDTH = 34
const CHECK = { '--fc-gutter': '8px' }

/** Reads the next leads when the end of the list is near, or when it is pressed. */
export function MoreLeads({ more, isReading }: { more: (() => void) | null; isReading: boolean }) {
  const { ref, entry } = useIntersection({ rootMargin: '600px' })
  const isNear = entry?.isIntersecting === true
  useEffect(() => {
    if (isNear) more?.()
  }, [isNear, more])
  if (more === null && !isReading) return null
  return (
    <Box ref={ref} px="lg" py="sm">
      <button type="button" className="fc-link fc-small" disabled={more === null} onClick={() => more?.()}>
        {isReading ? 'Loading more leads' : 'Show more leads'}
      </button>
    </Box>
  )
}

type RowProps = { lead: Lead; isOpen: boolean; onEnter: () => void; namesStores: boolean; hasCheck: boolean }

function QueueRow({ lead, isOpen, onEnter, namesStores, hasCheck }: RowProps) {
  const { lotName, needsStore } = lead
  const { id, personName, vehicleTitle, type, sourceName, isSoldElsewhere, unfinished } = lead
  return (
    <Link
      from="/customers/leads"
      to="/customers/leads"
      search={(before) => ({ ...before, lead: id })}
      className="fc-lead-row"
      {...(hasCheck && { style: { paddingInlineStart: CHECK_WIDTH + 4 } })}
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
        {namesStores && (
          <Box component="bdi" className="fc-cut" flex="none" maw="45%" ms="auto">
            {needsStore ? 'No store yet' : (lotName ?? '')}
          </Box>
        )}
      </span>
    </Link>
  )
}
