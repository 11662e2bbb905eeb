import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type OrganizationProfile, organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { LoadedRecord } from '#web/ui/record/KeptRecord.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { ProfileForm } from '../profile/ProfileForm.tsx'
import { OrganizationWizard } from './OrganizationWizard.tsx'

const route = getRouteApi('/shell/organizations/organization')
const ABOUT = 'Who the organization is and how it reports. Everything else builds on it.'

/** The first step of the wizard, of the organization that is named or of the one acted in. */
export function OrganizationStep() {
  const { claims } = useSession()
  const { organization: id = claims?.organizationId ?? '' } = route.useSearch()
  const navigate = route.useNavigate()
  const isNew = id === 'new'
  const { data, error, isPending, refetch } = useQuery({
    ...query(organizationProfiles.get, { id }),
    enabled: !isNew,
    // The form begins with the organization as it is, not as it was when the step was last open.
    gcTime: 0,
  })
  const open = (created: string) =>
    void navigate({ search: { organization: created }, replace: true, ignoreBlocker: true })
  return (
    <OrganizationWizard id={id} current="organization" organization={data ?? null} about={ABOUT}>
      {isNew && <ProfileForm organization={null} onCreated={open} />}
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={organizationProfiles.get}
          what="this organization"
          onRetry={() => void refetch()}
        />
      )}
      {!isNew && isPending && <Spinner label="Loading the organization" />}
      {!isNew && data && (
        <>
          <LoadedRecord key={data.id} record={data}>
            {(organization, keep) => (
              <ProfileForm organization={organization} onKept={keep} onCreated={open} />
            )}
          </LoadedRecord>
          <NextStep organization={data} />
        </>
      )}
    </OrganizationWizard>
  )
}

/** The way on, once there is something to go on with. */
function NextStep({ organization }: { organization: OrganizationProfile }) {
  const { facility } = organization.steps
  return (
    <p className="fc-wizard-next fc-small fc-soft">
      {facility === 'locked' ? (
        <bdi>The next step opens once the country is saved.</bdi>
      ) : (
        <Link to="/organizations/facility" search={{ organization: organization.id }}>
          Continue with facilities
        </Link>
      )}
    </p>
  )
}
