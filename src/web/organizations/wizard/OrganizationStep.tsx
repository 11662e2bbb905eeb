import { getRouteApi } from '@tanstack/react-router'
import { type OrganizationProfile, organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { query } from '#web/api/query.ts'
import { useSession } from '#web/session/use-session.ts'
import { useLoad } from '#web/ui/record/Loaded.tsx'
import { ProfileForm } from '../profile/ProfileForm.tsx'
import { OrganizationWizard } from './OrganizationWizard.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

// In one file: each file more is in the list that sign-in loads.
export { SetUpFacilityStep } from './SetUpFacilityStep.tsx'

const route = getRouteApi('/shell/organizations/organization')
const ABOUT = 'Legal entity, reporting settings and contacts.'

/** The first step of the wizard, for the organization in the URL or the user's current one. */
export function OrganizationStep() {
  const { claims } = useSession()
  const { organization: id = claims?.organizationId ?? '' } = route.useSearch()
  const navigate = route.useNavigate()
  const isNew = id === 'new'
  const load = useLoad({
    ...query(organizationProfiles.get, { id }),
    enabled: !isNew,
    // The form must start with the current organization, not with a cached one.
    gcTime: 0,
  })
  const open = (created: string) =>
    void navigate({ search: { organization: created }, replace: true, ignoreBlocker: true })
  return (
    <OrganizationWizard id={id} current="organization" organization={load.data ?? null} about={ABOUT}>
      <ProfileForm
        load={isNew ? null : load}
        onCreated={open}
        renderAfter={(profile) => <NextStep organization={profile} />}
      />
    </OrganizationWizard>
  )
}

/** A link to the next step, or why it is locked. */
function NextStep({ organization }: { organization: OrganizationProfile }) {
  const { facility } = organization.steps
  return (
    <p className="fc-wizard-next fc-small fc-soft">
      {facility === 'locked' ? (
        <bdi>Save the country to unlock the next step.</bdi>
      ) : (
        <Link to="/organizations/facility" search={{ organization: organization.id }}>
          Continue to facilities
        </Link>
      )}
    </p>
  )
}
