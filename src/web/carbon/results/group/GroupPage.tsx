import { Select } from '@mantine/core'
import { IconBuildings, IconChevronRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { type CarbonGroup, carbonGroup } from '#contract/carbon/results/group.ts'
import { query } from '#web/api/query.ts'
import { CONSOLIDATION_NAMES } from '#web/organizations/index.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { Toggle } from '#web/ui/controls/Toggle.tsx'
import { GroupView } from './GroupView.tsx'
import '../insights/insights.css'
import './group.css'

const route = getRouteApi('/shell/carbon/group')

/** The sum over the organizations somebody belongs to; which year and boundary stands in the URL. */
export function GroupPage() {
  const { year, boundary } = route.useSearch()
  const navigate = route.useNavigate()
  const asked = { ...(year && { year }), ...(boundary && { boundary }) }
  const { data, error, refetch } = useQuery(query(carbonGroup.get, asked))
  return (
    <div className="fc-group">
      <header className="fc-page-header">
        <div className="fc-grow">
          <nav className="fc-crumbs" aria-label="Breadcrumb">
            <Link to="/carbon">Carbon</Link>
            <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
            <span aria-current="page">Group</span>
          </nav>
          <h1>Group</h1>
          <p>The sum of approved inventories over the organizations you belong to. It is only read.</p>
        </div>
      </header>
      {error && (
        <FailureState
          failure={error}
          endpoint={carbonGroup.get}
          what="the group"
          onRetry={() => void refetch()}
        />
      )}
      {!error && !data && <Spinner label="Adding up the group" />}
      {!error && data && (
        <Shown
          group={data}
          onShow={(change) =>
            void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
          }
        />
      )}
    </div>
  )
}

type Show = (change: { year?: string; boundary?: CarbonGroup['boundary'] }) => void

function Shown({ group, onShow }: { group: CarbonGroup; onShow: Show }) {
  if (group.organizations <= 1) {
    return (
      <EmptyState
        icon={<IconBuildings size={18} />}
        title="There is nothing to sum"
        text="You belong to one organization. What it comes to stands with its inventories."
      >
        <Link to="/carbon">Go to the inventories</Link>
      </EmptyState>
    )
  }
  if (group.year === null) {
    return (
      <EmptyState
        icon={<IconBuildings size={18} />}
        title="No inventories yet"
        text="None of your organizations has an inventory. Once one is approved, it is summed here."
      >
        <Link to="/carbon">Go to the inventories</Link>
      </EmptyState>
    )
  }
  // A year that a link names stays to be chosen, though nothing ends in it.
  const years = group.years.includes(group.year) ? group.years : [group.year, ...group.years]
  return (
    <>
      <div className="fc-group-choice">
        <Select
          label="Year in which it ends"
          data={years.map(String)}
          value={String(group.year)}
          allowDeselect={false}
          onChange={(year) => {
            if (year !== null) onShow({ year })
          }}
        />
        <Toggle
          label="Boundary"
          choices={CONSOLIDATION_NAMES}
          value={group.boundary}
          onChange={(boundary) => onShow({ boundary })}
        />
      </div>
      <GroupView group={group} />
    </>
  )
}
