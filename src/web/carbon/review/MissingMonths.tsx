import { showFigure } from '#contract/carbon/factors/figure.ts'
import { sourceTitle } from '#contract/carbon/inventories/source-names.ts'
import type { MissingMonths as MissingPeriod, UnusualActivity } from '#contract/carbon/review/unusual.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** A longer list would push the records off the page. */
const MOST_SHOWN = 12

type Props = { inventoryId: string; unusual: UnusualActivity }

/** Months that had records a year before and have none now. */
export function MissingMonths({ inventoryId, unusual: { gone, comparedWith } }: Props) {
  if (gone.length === 0) return null
  return (
    <section className="fc-review-gone" aria-labelledby="review-gone">
      <h2 id="review-gone">Missing months, recorded last year</h2>
      <p className="fc-small fc-soft">
        Compared with <bdi>{comparedWith.join(', ')}</bdi>.
      </p>
      <ul>
        {gone.slice(0, MOST_SHOWN).map((one) => (
          <li key={`${one.facilityId} ${one.sourceType} ${one.from} ${one.unit}`}>
            <bdi>
              {sourceTitle(one)}, {one.facilityName}, {monthsOf(one)}: {showFigure(one.before)} {one.unit} a
              year before
              {one.hereId === null && ', not assigned here'}
            </bdi>
            <span className="fc-row">
              <YearBeforeLink inventoryId={one.inventoryId} sourceId={one.sourceId} />
              {one.hereId === null ? (
                <Link to="/carbon/emission" search={{ inventory: inventoryId, tab: 'assignments' }}>
                  Assign source
                </Link>
              ) : (
                <Link
                  to="/carbon/emission"
                  search={{ inventory: inventoryId, tab: 'activity', source: one.hereId }}
                >
                  Enter data
                </Link>
              )}
            </span>
          </li>
        ))}
      </ul>
      {gone.length > MOST_SHOWN && (
        <p className="fc-small">and {(gone.length - MOST_SHOWN).toLocaleString()} more.</p>
      )}
    </section>
  )
}

/** A link to the records of the prior year. */
export function YearBeforeLink({ inventoryId, sourceId }: { inventoryId: string; sourceId: string }) {
  return (
    <Link to="/carbon/emission" search={{ inventory: inventoryId, tab: 'activity', source: sourceId }}>
      Open last year
    </Link>
  )
}

function monthsOf({ from, to }: MissingPeriod): string {
  const [first, last] = [from.slice(0, 7), to.slice(0, 7)]
  return first === last ? first : `${first} to ${last}`
}
