import { IconLock } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { FacilitySection } from '../facilities/FacilitySection.tsx'
import { OrganizationWizard } from './OrganizationWizard.tsx'

const route = getRouteApi('/shell/organizations/facility')
const ABOUT = 'Places that consume energy, with their location, ownership and control.'

/** The second step of the wizard: the facilities. Locked until the organization has a country. */
export function SetUpFacilityStep() {
  const { claims } = useSession()
  const { organization: id = claims?.organizationId ?? '', ...search } = route.useSearch()
  const isNew = id === 'new'
  const { data, error, isPending, refetch } = useQuery({
    ...query(organizationProfiles.get, { id }),
    enabled: !isNew,
  })
  const isLocked = isNew || data?.steps.facility === 'locked'
  return (
    <OrganizationWizard id={id} current="facility" organization={data ?? null} about={ABOUT}>
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={organizationProfiles.get}
          what="this organization"
          onRetry={() => void refetch()}
        />
      )}
      {!isNew && isPending && <Spinner label="Loading the organization" />}
      {isLocked && (
        <EmptyState
          icon={<IconLock size={18} />}
          title="This step is locked"
          text="Units, currency and grid region depend on the organization's country. Save it first."
        >
          <Link to="/organizations/organization" search={{ organization: id }}>
            Go to organization
          </Link>
        </EmptyState>
      )}
      {!isLocked && data && <FacilitySection organization={data} search={search} />}
    </OrganizationWizard>
  )
}
