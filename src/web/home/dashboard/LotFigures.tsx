import type { Output } from '#contract/endpoint.ts'
import type { dashboard } from '#contract/home/dashboard.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { CountBars } from './CountBars.tsx'
import { CountFigure } from './CountFigure.tsx'

type Lots = NonNullable<Output<typeof dashboard.get>['lots']>

const TYPES = new Map([
  ['new', 'New'],
  ['used', 'Used'],
  ['both', 'New and used'],
  ['service', 'Service'],
])

/** Lots by type and organization. Hidden without lots, or with only one organization. */
export function LotCharts({ lots: { total, byType, byOrganization } }: { lots: Lots }) {
  if (total.count === 0) return null
  return (
    <>
      <CountBars
        title="Lots by type"
        unit="lots"
        bars={byType.map(({ type, count: number }) => ({ label: TYPES.get(type) ?? type, number }))}
      />
      {byOrganization.length > 1 && (
        <CountBars
          title="Lots by organization"
          unit="lots"
          bars={byOrganization.map(({ name, count: number }) => ({ label: name, number }))}
        />
      )}
    </>
  )
}

/** Lot counts: total, visible to buyers, and without an address. */
export function LotFigures({ lots: { total, withoutAddress, public: visible } }: { lots: Lots }) {
  return (
    <section className="fc-strip" aria-label="Lot summary">
      <CountFigure title="Lots" value={total.count.toLocaleString()} url={total.url}>
        All lots
      </CountFigure>
      <CountFigure title="Visible to buyers" value={visible.count.toLocaleString()} url={visible.url}>
        {`of ${count(total.count, 'lot', 'lots')}`}
      </CountFigure>
      <CountFigure
        title="Without an address"
        value={withoutAddress.count.toLocaleString()}
        url={withoutAddress.url}
      >
        {withoutAddress.count === 0 ? (
          <Status tone="good" mark="check">
            All lots have an address
          </Status>
        ) : (
          <Status tone="warn" mark="alert">
            Buyers can't find {withoutAddress.count === 1 ? 'it' : 'them'}
          </Status>
        )}
      </CountFigure>
    </section>
  )
}
