import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { Totals } from '#contract/carbon/activity/ledger-schema.ts'
import { useHolds } from '#web/session/use-session.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { CARBON_STEPS } from '#web/carbon/inventories/wizard/carbon-steps.ts'
import { type LineRef, tonnes } from '../../activity/insight-labels.ts'
import './needs.css'

/** A longer list belongs on the Activity data tab. */
const MAX_FACILITIES = 3

type Props = { totals: Totals; onOpen: (line: LineRef) => void }

/** The open items of an inventory, each with a link. Biogenic CO2 comes last, for information. */
export function AttentionCard({ totals, onOpen }: Props) {
  const { total, coverage, records, inventory } = totals
  const uncovered = coverage.facilities
    .filter(({ expected, there }) => there < expected)
    .toSorted((one, other) => other.expected - other.there - (one.expected - one.there))
    .slice(0, MAX_FACILITIES)
  const nameOf = (facilityId: string) =>
    totals.facilities.find(({ key }) => key === facilityId)?.title ?? 'A facility without data'
  const isClear =
    uncovered.length === 0 && total.missing === 0 && records.submitted === 0 && coverage.estimated === 0
  return (
    <section className="fc-insights-card" aria-labelledby="insights-needs">
      <header>
        <h2 id="insights-needs">Needs attention</h2>
      </header>
      <ul className="fc-insights-needs">
        {total.missing > 0 && (
          <li>
            <button type="button" onClick={() => onOpen({ by: 'missing', key: '' })}>
              <Status tone="bad" mark="alert">
                {count(total.missing, 'row', 'rows')} without a result
              </Status>
              <IconChevronRight size={14} className="fc-flip" aria-hidden="true" />
            </button>
          </li>
        )}
        {uncovered.map(({ facilityId, expected, there }) => (
          <StepItem key={facilityId} tab="activity" tone="warn" mark="alert" {...{ inventory }}>
            <bdi>
              {`${nameOf(facilityId)}: ${count(expected - there, 'data point', 'data points')} missing`}
            </bdi>
          </StepItem>
        ))}
        {coverage.estimated > 0 && (
          <StepItem tab="activity" tone="warn" mark="half" {...{ inventory }}>
            {count(coverage.estimated, 'data point', 'data points')} estimated, bill pending
          </StepItem>
        )}
        {records.unusual > 0 && (
          <StepItem tab="review" show="unusual" tone="warn" mark="alert" {...{ inventory }}>
            {count(records.unusual, 'flagged record', 'flagged records')} in review
          </StepItem>
        )}
        {records.submitted > 0 && (
          <StepItem tab="review" tone="info" mark="quarter" {...{ inventory }}>
            {count(records.submitted, 'record', 'records')} to review
          </StepItem>
        )}
        {isClear && (
          <li>
            <span>
              <Status tone="good" mark="check">
                No open items
              </Status>
            </span>
          </li>
        )}
        <li>
          <span>
            <Status tone="mute" mark="wait">
              Biogenic CO2, outside scopes: {tonnes(total.biogenic)} t
            </Status>
          </span>
        </li>
      </ul>
    </section>
  )
}

type StepItemProps = Pick<ComponentProps<typeof Status>, 'tone' | 'mark' | 'children'> & {
  inventory: Totals['inventory']
  tab: 'activity' | 'review'
  show?: 'unusual'
}

/** An item that opens a tab of the Emission step, for users who can see that step. */
function StepItem({ inventory, tab, show, ...status }: StepItemProps) {
  const isSeen = useHolds()(CARBON_STEPS.emission.needs) === true
  return (
    <li>
      {isSeen ? (
        <Link to="/carbon/emission" search={{ inventory: inventory.id, tab, show }}>
          <Status {...status} />
          <IconChevronRight size={14} className="fc-flip" aria-hidden="true" />
        </Link>
      ) : (
        <span>
          <Status {...status} />
        </span>
      )}
    </li>
  )
}
