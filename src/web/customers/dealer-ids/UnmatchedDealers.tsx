import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { dealerIds } from '#contract/customers/dealer-ids/dealer-ids.ts'
import { query } from '#web/api/query.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import './assign-dealers.css'

/** Loaded with its lots when expanded. */
const AssignDealers = lazy(async () => ({ default: (await import('./AssignDealers.tsx')).AssignDealers }))

/** A notice above the lots with dealer IDs that aren't linked to a lot. Hidden if there are none. */
export function UnmatchedDealers() {
  const { data = [] } = useQuery(query(dealerIds.unmatched, {}))
  const [isOpen, setIsOpen] = useState(false)
  if (data.length === 0) return null
  return (
    <section className="fc-dealers" aria-label="Unmatched dealer IDs">
      <div className="fc-row">
        <Status tone="warn" mark="alert">
          {count(data.length, "dealer ID isn't", "dealer IDs aren't")} linked to a lot
        </Status>
        <button
          type="button"
          className="fc-quiet"
          aria-expanded={isOpen}
          onClick={() => setIsOpen((before) => !before)}
        >
          {isOpen ? 'Hide' : 'Assign'}
        </button>
      </div>
      {isOpen && (
        <Suspense>
          <AssignDealers dealers={data} />
        </Suspense>
      )}
    </section>
  )
}
