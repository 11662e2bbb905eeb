import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { factors } from '#contract/carbon/factors/factors.ts'
import { SCOPE_NAMES, SCOPES } from '#contract/carbon/factors/factor-list.ts'
import { query } from '#web/api/query.ts'
import { Link } from '#web/ui/controls/Link.tsx'

const route = getRouteApi('/shell/carbon/factors')

/** Countries whose grid factors users expect, and whose authority publishes them. */
const AUTHORITIES = [
  { region: 'CA', name: 'Canada' },
  { region: 'AU', name: 'Australia' },
] as const

const isIn = (region: string, regions: readonly string[]) =>
  regions.some((one) => one === region || one.startsWith(`${region}-`))

/** Above the list: quick filters by publisher, origin and scope, and regions without a grid factor. */
export function FactorNotes() {
  const { filter } = route.useSearch()
  const { data } = useQuery(query(factors.datasets, {}))
  if (data === undefined) return null
  const missing = AUTHORITIES.filter(({ region }) => !isIn(region, data.gridRegions))
  const publishers = new Map<string, number>()
  for (const { publisher, factors: count } of data.datasets)
    publishers.set(publisher, (publishers.get(publisher) ?? 0) + count)
  const facets = [
    ...[...publishers].map(([name, count]) => ({
      name,
      count,
      rule: `publisher == ${JSON.stringify(name)}`,
    })),
    ...(data.customFactors === 0
      ? []
      : [{ name: 'Custom', count: data.customFactors, rule: 'origin == "own"' }]),
    ...SCOPES.map((value) => ({
      name: SCOPE_NAMES[value],
      count: null,
      rule: `scope == ${JSON.stringify(value)}`,
    })),
  ]
  return (
    <div className="fc-factor-notes">
      <nav aria-label="Quick filters" className="fc-factor-facets">
        {facets.map(({ name, count, rule }) => (
          <Link
            key={rule}
            from="/carbon/factors"
            to="/carbon/factors"
            search={(before) => ({
              ...before,
              page: undefined,
              filter: before.filter === rule ? undefined : rule,
            })}
            aria-current={filter === rule ? 'true' : undefined}
          >
            <bdi>{name}</bdi>
            {count !== null && <span className="fc-number"> {count.toLocaleString()}</span>}
          </Link>
        ))}
      </nav>
      {missing.length > 0 && (
        <p className="fc-small fc-soft">
          The library has no grid factor for {missing.map(({ name }) => name).join(' or ')}, and no other
          factor is used instead.{' '}
          {missing.map(({ region, name }) => (
            <span key={region}>
              <Link
                from="/carbon/factors"
                to="/carbon/factors"
                search={(before) => ({ ...before, factor: 'new', region, drawer: undefined })}
              >
                Add official factor for {name}
              </Link>{' '}
            </span>
          ))}
        </p>
      )}
    </div>
  )
}
