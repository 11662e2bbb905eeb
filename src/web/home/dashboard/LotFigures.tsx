import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { Output } from '#contract/endpoint.ts'
import type { dashboard } from '#contract/home/dashboard.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { CountBars } from './CountBars.tsx'

type Lots = NonNullable<Output<typeof dashboard.get>['lots']>

const TYPES = new Map([
  ['new', 'New'],
  ['used', 'Used'],
  ['both', 'New and used'],
  ['service', 'Service'],
])

/** Lots by type and organization. Hidden without lots, or with only one organization. */
export function LotCharts({ lots: { total, byType, byOrganization } }: { lots: Lots }) {
  if (total === 0) return null
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

/** Lot counts: total, on public pages, and without an address. */
export function LotFigures({ lots }: { lots: Lots }) {
  const { total, withoutAddress } = lots
  return (
    <section className="fc-strip" aria-label="Lot summary">
      <div className="fc-figure">
        <span>Lots</span>
        <b>{total.toLocaleString()}</b>
        <Link to="/customers/lots">View all lots</Link>
      </div>
      <div className="fc-figure">
        <span>On public pages</span>
        <b>{lots.public.toLocaleString()}</b>
        <span>of {count(total, 'lot', 'lots')}</span>
      </div>
      <Unfinished number={withoutAddress} />
    </section>
  )
}

/** Links to the lots without an address; not a link if there are none. */
function Unfinished({ number }: { number: number }) {
  const figure = (
    <>
      <span>Without an address</span>
      <b>{number.toLocaleString()}</b>
    </>
  )
  if (number === 0) {
    return (
      <div className="fc-figure">
        {figure}
        <Status tone="good" mark="check">
          All lots have an address
        </Status>
      </div>
    )
  }
  return (
    <Link className="fc-figure fc-figure-link" to="/customers/lots" search={{ filter: 'address == null' }}>
      {figure}
      <Status tone="warn" mark="alert">
        Buyers can't find {number === 1 ? 'it' : 'them'}
      </Status>
      <IconChevronRight size={16} className="fc-flip" aria-hidden="true" />
    </Link>
  )
}
