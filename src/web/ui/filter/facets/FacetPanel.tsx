import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type Variables, variablesOf } from '#contract/expressions/variables.ts'
import { facets, type Facet as FacetAnswer } from '#contract/lists/facets.ts'
import type { List } from '#contract/lists/list.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { chosenIn, toggleValue } from './facet-rule.ts'
import { FacetValues } from './FacetValues.tsx'
import './facets.css'

export type FacetPanelProps = {
  list: List
  search: string
  /** The rule from the URL. */
  filter: string
  onChange: (filter: string) => void
}

/** The values of the list's fields with their counts under the current filter; checking one filters by it. */
export function FacetPanel({ list, search, filter, onChange }: FacetPanelProps) {
  const holds = useHolds()
  const variables = variablesOf(list, (permission) => holds(permission) === true)
  const { data, error, isPending, isPlaceholderData, refetch } = useQuery({
    ...query(facets.list, {
      list: list.key,
      ...(search !== '' && { search }),
      ...(filter !== '' && { filter }),
    }),
    placeholderData: keepPreviousData,
  })
  if (error) {
    return (
      <div className="fc-facets-note" role="alert">
        <p>
          <bdi>{error.fields['filter'] ?? error.message}</bdi>
        </p>
        <button type="button" className="fc-link" onClick={() => void refetch()}>
          Refresh counts
        </button>
      </div>
    )
  }
  if (isPending) return <WaitingFacets />
  const shown = data.filter(
    (facet) => facet.values.length > 0 || chosenIn(filter, variables, facet.field).length > 0,
  )
  if (shown.length === 0) return <p className="fc-facets-note">No values to count yet.</p>
  return (
    <div aria-busy={isPlaceholderData}>
      {shown.map((facet) => (
        <OneFacet key={facet.field} {...{ list, facet, filter, variables, onChange }} />
      ))}
    </div>
  )
}

type OneProps = Pick<FacetPanelProps, 'list' | 'filter' | 'onChange'> & {
  facet: FacetAnswer
  variables: Variables
}

function OneFacet({ list, facet, filter, variables, onChange }: OneProps) {
  const { field } = facet
  const declared = list.fields[field]
  if (declared === undefined) return null
  return (
    <FacetValues
      facet={facet}
      field={declared}
      chosen={chosenIn(filter, variables, field)}
      onToggle={(value, isOn) => onChange(toggleValue(filter, variables, { field, value, isOn }))}
    />
  )
}

const WAITING = [64, 48, 72, 40, 56, 68, 44, 60]

/** Shown while the counts load for the first time. */
function WaitingFacets() {
  return (
    <div className="fc-facets-waiting">
      <output className="fc-hidden">Counting rows</output>
      {WAITING.map((length) => (
        <span key={length} className="fc-skeleton" style={{ inlineSize: `${length}%` }} />
      ))}
    </div>
  )
}
