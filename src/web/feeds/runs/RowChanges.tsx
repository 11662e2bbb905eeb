import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import type { FeedRow } from '#contract/feeds/runs/feed-runs.ts'
import { useCustomFields } from '#web/vehicles/index.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { fieldTitle, showFeedValue, sortChanges } from './feed-labels.ts'

/** How many changes are shown at first. */
const SHOWN = 4

/** The changed fields of a vehicle, before and after, or the values of a new one. */
export function RowChanges({ row: { kind, changes } }: { row: FeedRow }) {
  const { fields: own } = useCustomFields()
  const [isOpen, setIsOpen] = useState(false)
  if (changes.length === 0) return null
  const sorted = sortChanges(changes)
  const shown = isOpen ? sorted : sorted.slice(0, SHOWN)
  return (
    <>
      <dl className="fc-feed-changes">
        {shown.map(({ field, before, after, isFromVin }) => (
          <div key={field}>
            <dt>{own.find((one) => customFieldName(one) === field)?.name ?? fieldTitle(field)}</dt>
            <dd>
              {kind !== 'new' && kind !== 'refused' && (
                <>
                  <del className="fc-feed-value">
                    <bdi>{showFeedValue(field, before)}</bdi>
                  </del>
                  <IconArrowRight size={13} className="fc-flip" aria-hidden="true" />
                  <span className="fc-hidden">changes to</span>
                </>
              )}
              <span className="fc-feed-value">
                <bdi>{showFeedValue(field, after)}</bdi>
              </span>
              {isFromVin && <span className="fc-small fc-faint">from the VIN</span>}
            </dd>
          </div>
        ))}
      </dl>
      {sorted.length > SHOWN && (
        <button
          type="button"
          className="fc-quiet fc-feed-rest"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Show fewer fields' : `Show ${count(sorted.length - SHOWN, 'more field', 'more fields')}`}
        </button>
      )}
    </>
  )
}
