import { Select } from '@mantine/core'
import { IconChevronRight, IconDownload, IconScale } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { carbonComparison } from '#contract/carbon/results/comparison.ts'
import { carbonInventories } from '#contract/carbon/inventories/inventories.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { useSearchable } from '#web/ui/list/use-searchable.ts'
import { Toggle } from '#web/ui/controls/Toggle.tsx'
import { fetchFile } from '#web/ui/tasks/fetch-file.ts'
import { periodOf } from '#web/carbon/inventories/inventory-labels.ts'
import { BaseYearNotice } from '#web/carbon/inventories/base-year/BaseYearNotice.tsx'
import { BridgeView } from './BridgeView.tsx'
import { usePreviousYear } from './use-previous-year.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import '../insights/insights.css'
import './compare.css'

const route = getRouteApi('/shell/carbon/compare')

/** Compares two inventories and explains the change. Both are in the URL. */
export function ComparePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const holds = useHolds()
  const canChoose = holds(carbonInventories.list.allow) === true
  const { after, method = 'location' } = search
  const previousYear = usePreviousYear(after)
  const before = search.before ?? previousYear
  const show = (change: Partial<typeof search>) =>
    void navigate({ search: (former) => ({ ...former, ...change }), replace: true })
  const compared = before !== undefined && after !== undefined ? { before, after, method } : null
  return (
    <div className="fc-compare-page">
      <header className="fc-page-header">
        <div className="fc-grow">
          <nav className="fc-crumbs" aria-label="Breadcrumb">
            <Link to="/carbon">Carbon</Link>
            <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
            <span aria-current="page">Compare</span>
          </nav>
          <h1>Compare inventories</h1>
          <p>What changed between two inventories: boundary, activity, method and emission factors.</p>
        </div>
        <Action
          for={carbonComparison.export}
          variant="default"
          lock={compared === null ? 'Choose two inventories first.' : null}
          leftSection={<IconDownload size={16} aria-hidden="true" />}
          onClick={() => {
            if (compared) void fetchFile(carbonComparison.export, compared, 'Comparison').catch(showError)
          }}
        >
          Export CSV
        </Action>
      </header>
      {canChoose && (
        <div className="fc-compare-choice">
          <Choice label="From" value={before} onChange={(id) => show({ before: id })} />
          <Choice label="To" value={after} onChange={(id) => show({ after: id })} />
          <Toggle
            label="Scope 2"
            choices={{ location: 'Location-based', market: 'Market-based' }}
            value={method}
            onChange={(one) => show({ method: one })}
          />
        </div>
      )}
      {compared &&
        [compared.before, compared.after].map((id) => <BaseYearNotice key={id} inventoryId={id} />)}
      {compared ? (
        <Result key={`${compared.before} ${compared.after}`} input={compared} />
      ) : (
        <EmptyState
          icon={<IconScale size={18} />}
          title="Choose two inventories"
          text="Select two years of one organization, or an inventory and its restatement."
        >
          {null}
        </EmptyState>
      )}
    </div>
  )
}

type ChoiceProps = {
  label: string
  value: string | undefined
  onChange: (id: string) => void
}

function Choice({ label, value, onChange }: ChoiceProps) {
  const { rows, search } = useSearchable(carbonInventories.list)
  const isUnlisted = value !== undefined && rows.every(({ id }) => id !== value)
  const { data: unlisted } = useQuery({
    ...query(carbonInventories.get, { id: value ?? '' }),
    enabled: isUnlisted,
  })
  const choices = isUnlisted && unlisted ? [unlisted, ...rows] : rows
  const groups = Map.groupBy(choices, ({ organizationName }) => organizationName)
  return (
    <Select
      label={label}
      data={[...groups].map(([group, own]) => ({
        group,
        items: own.map((row) => ({ value: row.id, label: `${row.name}, ${periodOf(row)}` })),
      }))}
      value={value ?? null}
      placeholder="Choose an inventory"
      allowDeselect={false}
      searchable
      onSearchChange={search}
      nothingFoundMessage="No matching inventory"
      onChange={(id) => {
        if (id !== null) onChange(id)
      }}
    />
  )
}

type ComparisonQuery = { before: string; after: string; method: 'location' | 'market' }

function Result({ input }: { input: ComparisonQuery }) {
  const { data, error, refetch } = useQuery(query(carbonComparison.compare, input))
  if (error) {
    const [sentence] = Object.values(error.fields ?? {})
    if (sentence !== undefined)
      return (
        <EmptyState
          icon={<IconScale size={18} />}
          title="These inventories can't be compared"
          text={sentence}
        >
          {null}
        </EmptyState>
      )
    return (
      <FailureState
        failure={error}
        endpoint={carbonComparison.compare}
        what="the comparison"
        onRetry={() => void refetch()}
      />
    )
  }
  if (!data) return <Spinner label="Loading the comparison" />
  return <BridgeView comparison={data} />
}
