import { type CustomerDetails, customerDetails } from '#contract/customers/details/details.ts'
import { query } from '#web/api/query.ts'
import { useLoad } from '#web/ui/record/Loaded.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { DetailsForm } from './DetailsForm.tsx'
import type { SettingEffectOf } from '../setting-effect.ts'
import './details.css'
import '#web/ui/form/form-section.css'

/** The customer's own details: one page with one form. */
export function DetailsPage({ Effect }: { Effect: SettingEffectOf }) {
  const load = useLoad({
    ...query(customerDetails.get, {}),
    // The form must start with current data, not a cached copy.
    gcTime: 0,
  })
  const { data } = load
  return (
    <div className="fc-details">
      <PageHeader title="Details" context={data ? describe(data) : ''} />
      <DetailsForm load={load} skeleton={<DetailsSkeleton />} Effect={Effect} />
    </div>
  )
}

function describe({ organizations, people, lots, updatedAt, updatedBy }: CustomerDetails): string {
  const figures = [
    count(organizations, 'organization', 'organizations'),
    count(people, 'user', 'users'),
    count(lots, 'lot', 'lots'),
  ].join(', ')
  return `${figures}. Changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}.`
}

const SECTIONS = [4, 4, 2]

/** Matches the page layout: sections of fields in pairs. */
function DetailsSkeleton() {
  return (
    <div>
      <output className="fc-hidden">Loading the details</output>
      {SECTIONS.map((fields, section) => (
        <div key={section} className="fc-section">
          <span className="fc-skeleton" style={{ inlineSize: 120 }} />
          <div className="fc-section-fields">
            {Array.from({ length: fields }, (_, field) => (
              <span key={field} className="fc-skeleton" style={{ inlineSize: '70%', marginBlock: 18 }} />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}
