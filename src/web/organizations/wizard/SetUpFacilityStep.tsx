import { IconLock } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { FacilitySection } from '../facilities/FacilitySection.tsx'
import { OrganizationWizard } from './OrganizationWizard.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/organizations/facility')
const ABOUT = 'Places that consume energy, with their location, ownership and control.'

/** The second step of the wizard: the facilities. Locked until the organization has a country. */
export function SetUpFacilityStep() {
  const { claims } = useSession()
  const { organization: id = claims?.organizationId ?? '', ...search } = route.useSearch()
  const isNew = id === 'new'
  const load = useLoad({
    ...query(organizationProfiles.get, { id }),
    enabled: !isNew,
  })
  return (
    <OrganizationWizard id={id} current="facility" organization={load.data ?? null} about={ABOUT}>
      {isNew ? (
        <LockedStep id={id} />
      ) : (
        <Loaded query={load} what="this organization" shape="spinner">
          {(organization) =>
            organization.steps.facility === 'locked' ? (
              <LockedStep id={id} />
            ) : (
              <FacilitySection organization={organization} search={search} />
            )
          }
        </Loaded>
      )}
    </OrganizationWizard>
  )
}

function LockedStep({ id }: { id: string }) {
  return (
    <EmptyState
      icon={<IconLock size={18} />}
      title="This step is locked"
      text="Units, currency and grid region depend on the organization's country. Save it first."
    >
      <Link to="/organizations/organization" search={{ organization: id }}>
        Go to organization
      </Link>
    </EmptyState>
  )
}
