import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { chainOf } from '#contract/organizations/chain.ts'
import { facilities, type Facility } from '#contract/organizations/facilities/facilities.ts'
import type { Consolidation } from '#contract/organizations/facilities/inclusion.ts'
import type { OrganizationProfile } from '#contract/organizations/profile/profiles.ts'
import { query, send } from '#web/api/query.ts'
import { useTodayIn } from '#web/session/use-today.ts'
import { describeChange, RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import { ControlRows } from './ControlRows.tsx'
import { facilityForm, FIELD_NAMES, showField, toValues } from './facility-form.ts'
import { LEVEL_NAMES } from './facility-labels.ts'
import { FacilityFields } from './FacilityFields.tsx'
import { InclusionHistory } from './InclusionHistory.tsx'

type Props = RecordDrawerProps & {
  organization: OrganizationProfile
  /** All facilities of the organization. */
  others: readonly Facility[]
  approach: Consolidation
}

const addFacility = send(facilities.add)
const updateFacility = send(facilities.update)

/** The form of one facility, or of a new one. */
export function FacilityDrawer({ organization, others, approach, ...props }: Props) {
  const heading = useId()
  const today = useTodayIn(organization.timeZone)
  const { data: lots = [] } = useQuery(query(facilities.lots, { organization: organization.id }))
  const nameOf = (field: 'parentId' | 'lotId', id: string) =>
    (field === 'lotId' ? lots : others).find((one) => one.id === id)?.name ?? `ID ${id}`
  return (
    <RecordDrawer
      {...props}
      noun="facility"
      about={<bdi>{`In ${organization.name}`}</bdi>}
      describe={(facility) => `${LEVEL_NAMES[facility.level]} ${facility.code}, ${describeChange(facility)}`}
      size={640}
      form={facilityForm(organization, today)}
      endpoints={facilities}
      save={(input, change) =>
        change
          ? updateFacility({ ...input, ...change })
          : addFacility({ ...input, organizationId: organization.id })
      }
      remove={{
        endpoint: facilities.remove,
        undo: {
          text: ({ name }) => `${name} deleted`,
          // Only unused facilities can be deleted, so nothing refers to the old ID.
          run: (removed) => addFacility({ ...toValues(removed), organizationId: removed.organizationId }),
        },
        label: 'Delete facility',
      }}
      nameOf={({ name, code }) => ({ name, code })}
      show={(name, values) => showField(name, values, nameOf)}
    >
      {(record, facility) => (
        <div className="fc-form-fields">
          <FacilityFields record={record} facility={facility} others={others} lots={lots} />
          <section className="fc-wide fc-form-section fc-control-rows" aria-labelledby={heading}>
            <h2 id={heading}>{FIELD_NAMES.control}</h2>
            <ControlRows record={record} />
          </section>
          {facility && (
            <InclusionHistory
              chain={chainOf(others, facility.id)}
              organization={organization}
              approach={approach}
            />
          )}
        </div>
      )}
    </RecordDrawer>
  )
}
