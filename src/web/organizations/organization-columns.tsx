import { MayOpen } from '#web/ui/list/MayOpen.tsx'
import { organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import type { ORGANIZATION_LIST } from '#contract/organizations/organization-list.ts'
import type { OrganizationRow } from '#contract/organizations/organizations.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { nameOfCountry } from './organization-labels.ts'
import { Link } from '#web/ui/controls/Link.tsx'

/** Custom cells of columns that show more than their field. */
export const CELLS: Cells<OrganizationRow, keyof typeof ORGANIZATION_LIST.fields> = {
  name: (row) => <OrganizationLink row={row} />,
  country: (row) => <bdi>{row.country === null ? '' : nameOfCountry(row.country)}</bdi>,
  progress: (row) => <Progress row={row} />,
  status: ({ status }) => (status === 'archived' ? <Archived /> : 'Active'),
}

/** An organization on a narrow screen. */
export function OrganizationBlock({ row }: { row: OrganizationRow }) {
  const { facilities, people } = row
  return (
    <>
      <div className="fc-block-head">
        <OrganizationLink row={row} />
      </div>
      <div className="fc-small fc-faint">
        {facilities !== null && people !== null
          ? `${count(facilities, 'facility', 'facilities')} · ${count(people, 'person', 'people')}`
          : 'No access'}
      </div>
      <div className="fc-block-head fc-small">
        {row.status === 'archived' ? <Archived /> : <Progress row={row} />}
        <span className="fc-soft">
          <bdi>{row.country === null ? '' : nameOfCountry(row.country)}</bdi>
        </span>
      </div>
    </>
  )
}

/** An organization outside the user's reach has a name but no page. */
function OrganizationLink({ row }: { row: OrganizationRow }) {
  if (row.progress === null) {
    return (
      <span className="fc-name">
        <bdi>{row.name}</bdi>
      </span>
    )
  }
  return (
    <MayOpen for={organizationProfiles.get}>
      <Link to="/organizations/$id" params={{ id: row.id }} className="fc-name">
        <bdi>{row.name}</bdi>
      </Link>
    </MayOpen>
  )
}

function Archived() {
  return (
    <Status tone="mute" mark="pause">
      Archived
    </Status>
  )
}

function Progress({ row }: { row: OrganizationRow }) {
  switch (row.progress) {
    case 'complete':
      return (
        <Status tone="good" mark="check">
          Complete
        </Status>
      )
    case 'partly':
      return (
        <Status tone="info" mark="half">
          In progress
        </Status>
      )
    case 'empty':
      return (
        <Status tone="mute" mark="wait">
          Not started
        </Status>
      )
    default:
      return null
  }
}
