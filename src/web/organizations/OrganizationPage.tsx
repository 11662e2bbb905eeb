import { Button } from '@mantine/core'
import { IconChevronRight, IconPencil } from '@tabler/icons-react'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type OrganizationProfile, organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Mark } from '#web/ui/layout/Mark.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { Members } from './members/Members.tsx'
import { OrganizationFacts } from './OrganizationFacts.tsx'
import { FacilitySection } from './facilities/FacilitySection.tsx'
import { STEP_GATE } from './wizard/organization-steps.ts'
import './organization.css'

const route = getRouteApi('/shell/organizations/$id')

/** One organization: its facilities on a date, its profile, and its members. */
export function OrganizationPage() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const load = useLoad(query(organizationProfiles.get, { id }))
  const { data } = load
  return (
    <div className="fc-organization-page">
      <Header organization={data ?? null} />
      <Loaded query={load} what="this organization" shape="spinner">
        {(loaded) => (
          <>
            <FacilitySection organization={loaded} search={search} />
            <div className="fc-organization-more">
              <OrganizationFacts organization={loaded} />
              <Members organizationId={loaded.id} />
            </div>
          </>
        )}
      </Loaded>
    </div>
  )
}

function Header({ organization }: { organization: OrganizationProfile | null }) {
  const holds = useHolds()
  const name = organization?.name ?? 'Organization'
  return (
    <header className="fc-page-header">
      {organization && <Mark logo={organization.logo} name={name} size={40} />}
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/organizations">Organizations</Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <span className="fc-cut" aria-current="page">
            <bdi>{name}</bdi>
          </span>
        </nav>
        <h1>
          <bdi>{name}</bdi>
        </h1>
        <p aria-live="polite">
          <bdi>{organization && describe(organization)}</bdi>
        </p>
      </div>
      {organization && holds(STEP_GATE) === true && (
        <Button
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden="true" />}
          renderRoot={(props) => (
            <Link to="/organizations/organization" search={{ organization: organization.id }} {...props} />
          )}
        >
          Set up
        </Button>
      )}
    </header>
  )
}

function describe({ facilities, people, updatedAt, updatedBy }: OrganizationProfile): string {
  const figures = `${count(facilities, 'facility', 'facilities')}, ${count(people, 'person', 'people')}`
  return `${figures}. Changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}.`
}
