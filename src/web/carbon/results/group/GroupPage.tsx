import { Select } from '@mantine/core'
import { IconBuildings, IconChevronRight } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { type CarbonGroup, carbonGroup } from '#contract/carbon/results/group.ts'
import { query } from '#web/api/query.ts'
import { CONSOLIDATION_NAMES } from '#web/organizations/index.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { Toggle } from '#web/ui/controls/Toggle.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { GroupView } from './GroupView.tsx'
import '../insights/insights.css'
import styles from './Group.module.css'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/carbon/group')

/** The total of the organizations the user belongs to. Year and boundary are in the URL. */
export function GroupPage() {
  const { year, boundary } = route.useSearch()
  const navigate = route.useNavigate()
  const input = { ...(year && { year }), ...(boundary && { boundary }) }
  return (
    <div className={styles.group}>
      <header className="fc-page-header">
        <div className="fc-grow">
          <nav className="fc-crumbs" aria-label="Breadcrumb">
            <Link to="/carbon">Carbon</Link>
            <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
            <span aria-current="page">Group</span>
          </nav>
          <h1>Group</h1>
          <p>Total of the approved inventories of the organizations you belong to. Read-only.</p>
        </div>
      </header>
      <Loaded
        query={query(carbonGroup.get, input)}
        what="the group"
        shape="spinner"
        label="Loading the group total"
      >
        {(group) => (
          <GroupContent
            group={group}
            onShow={(change) =>
              void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
            }
          />
        )}
      </Loaded>
    </div>
  )
}

type Show = (change: { year?: string; boundary?: CarbonGroup['boundary'] }) => void

function GroupContent({ group, onShow }: { group: CarbonGroup; onShow: Show }) {
  if (group.organizations <= 1) {
    return (
      <EmptyState
        icon={<IconBuildings size={18} />}
        title="No group total"
        text="You belong to one organization. Its inventories show its emissions."
      >
        <Link to="/carbon">Go to inventories</Link>
      </EmptyState>
    )
  }
  if (group.year === null) {
    return (
      <EmptyState
        icon={<IconBuildings size={18} />}
        title="No inventories yet"
        text="None of your organizations has an inventory yet. Approved inventories are totaled here."
      >
        <Link to="/carbon">Go to inventories</Link>
      </EmptyState>
    )
  }
  // A year from the URL stays selectable even if no inventory ends in it.
  const years = group.years.includes(group.year) ? group.years : [group.year, ...group.years]
  return (
    <>
      <div className={styles.choice}>
        <Select
          label="Reporting year"
          data={years.map(String)}
          value={String(group.year)}
          allowDeselect={false}
          onChange={(year) => {
            if (year !== null) onShow({ year })
          }}
        />
        <Toggle
          label="Consolidation approach"
          choices={CONSOLIDATION_NAMES}
          value={group.boundary}
          onChange={(boundary) => onShow({ boundary })}
        />
      </div>
      <GroupView group={group} />
    </>
  )
}
