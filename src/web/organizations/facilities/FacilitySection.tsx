import { Select, TextInput } from '@mantine/core'
import { IconBuildingWarehouse, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { facilities } from '#contract/organizations/facilities/facilities.ts'
import { CONSOLIDATIONS, type Consolidation } from '#contract/organizations/facilities/inclusion.ts'
import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import { query } from '#web/api/query.ts'
import { useTodayIn } from '#web/session/use-today.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { CONSOLIDATION_NAMES } from '../organization-labels.ts'
import { FacilityTable } from './FacilityTable.tsx'
import './facilities.css'

const FacilityDrawer = lazy(async () => ({ default: (await import('./FacilityDrawer.tsx')).FacilityDrawer }))
const APPROACHES = CONSOLIDATIONS.map((value) => ({ value, label: CONSOLIDATION_NAMES[value] }))

/** In the URL. `facility`: the open drawer, an ID or `new`. `on`: the selected date. `by`: the consolidation approach. */
export type TreeSearch = {
  facility?: string | undefined
  on?: string | undefined
  by?: Consolidation | undefined
}

type Props = { organization: OrganizationProfile; search: TreeSearch }

/** The facilities of an organization on a date, with a drawer for one of them. */
export function FacilitySection({ organization, search }: Props) {
  const navigate = useNavigate()
  const today = useTodayIn(organization.timeZone)
  const day = search.on ?? today
  const approach = search.by ?? organization.consolidation ?? 'operational'
  const change = (changes: TreeSearch, { isSaved = false } = {}) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...changes }), ignoreBlocker: isSaved })
  const add = (
    <Action
      for={facilities.add}
      onClick={() => change({ facility: 'new' })}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add facility
    </Action>
  )
  return (
    <section className="fc-facility-section" aria-label="Facilities">
      <Loaded
        query={query(facilities.tree, { organization: organization.id })}
        what="the facilities"
        shape={<FacilitiesSkeleton />}
      >
        {(data) => (
          <>
            {data.length === 0 && (
              <EmptyState
                tone="brand"
                icon={<IconBuildingWarehouse size={18} />}
                title="No facilities yet"
                text="A facility is a place that consumes energy: a showroom, a workshop, a lot with lighting, or a meter. Utility bills belong to facilities."
              >
                {add}
              </EmptyState>
            )}
            {data.length > 0 && (
              <>
                <div className="fc-toolbar fc-facility-tools">
                  <TextInput
                    type="date"
                    label="As of"
                    value={day}
                    min="1800-01-01"
                    max="2200-12-31"
                    onChange={(event) => change({ on: event.currentTarget.value || undefined })}
                  />
                  <Select
                    label="Consolidation approach"
                    data={APPROACHES}
                    value={approach}
                    allowDeselect={false}
                    onChange={(value) => change({ by: CONSOLIDATIONS.find((one) => one === value) })}
                  />
                  <span className="fc-grow" />
                  {add}
                </div>
                <FacilityTable facilities={data} day={day} approach={approach} selectedId={search.facility} />
              </>
            )}
            {search.facility !== undefined && (
              <Suspense>
                <FacilityDrawer
                  key={search.facility}
                  id={search.facility}
                  organization={organization}
                  others={data}
                  approach={approach}
                  onClose={(isSaved) => change({ facility: undefined }, { isSaved })}
                  onCreated={(id) => change({ facility: id }, { isSaved: true })}
                />
              </Suspense>
            )}
          </>
        )}
      </Loaded>
    </section>
  )
}

const WIDTHS = [46, 38, 42, 50, 34]

/** The loading state of the facility tree. */
function FacilitiesSkeleton() {
  return (
    <div className="fc-facilities-wait">
      <output className="fc-hidden">Loading the facilities</output>
      {WIDTHS.map((width) => (
        <span key={width} className="fc-skeleton" style={{ inlineSize: `${width}%` }} />
      ))}
    </div>
  )
}
