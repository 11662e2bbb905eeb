import { useState } from 'react'
import { type PricePoint, type VehicleRecord, vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { query } from '#web/api/query.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { count, formatDayIn, formatTimeIn } from '#web/ui/layout/date-format.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { Link } from '#web/ui/controls/Link.tsx'
import { changedBy, changedByText } from './changed-by.ts'
import { drawSteps } from './price-steps.ts'
import { formatPrice } from '../vehicle-labels.ts'

const BOX = { width: 260, height: 72 }
const VIEWS = ['Chart', 'Table'] as const

/** The price history of a vehicle as a step chart or a table. */
export function PriceHistory({ vehicle }: { vehicle: VehicleRecord }) {
  const load = useLoad(query(vehicles.prices, { id: vehicle.id }))
  const { data } = load
  const [view, setView] = useState<(typeof VIEWS)[number]>('Chart')
  const price = (cents: number | null) => formatPrice(cents, vehicle.currency) || 'No price'
  const hasPrices = data?.some(({ priceCents }) => priceCents !== null) ?? false
  return (
    <section className="fc-side-card">
      <div className="fc-side-head">
        <h2>Price history</h2>
        {hasPrices && (
          <fieldset className="fc-price-ranges" aria-label="Price history as">
            {VIEWS.map((one) => (
              <button key={one} type="button" aria-pressed={view === one} onClick={() => setView(one)}>
                {one}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      <Loaded
        query={load}
        what="the prices"
        shape={<span className="fc-skeleton" aria-busy style={{ blockSize: 72 }} />}
      >
        {(points) => {
          if (!hasPrices) return <p className="fc-small fc-soft">No prices yet.</p>
          return view === 'Chart' ? (
            <Chart points={points} price={price} />
          ) : (
            <PriceTable points={points} price={price} />
          )
        }}
      </Loaded>
    </section>
  )
}

function PriceTable({
  points,
  price,
}: {
  points: readonly PricePoint[]
  price: (cents: number | null) => string
}) {
  return (
    <table className="fc-price-table">
      <thead>
        <tr>
          <th scope="col">Since</th>
          <th scope="col">By</th>
          <th scope="col" className="fc-end">
            Selling price
          </th>
        </tr>
      </thead>
      <tbody>
        {points.toReversed().map((point, at) => (
          <Row key={`${point.at} ${at}`} {...{ point, price }} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ point, price }: { point: PricePoint; price: (cents: number | null) => string }) {
  const { at, zone, priceCents, sellingCents, totalCents, rules } = point
  const before = `${price(priceCents)} before rules`
  return (
    <tr>
      <td>
        <bdi>{formatDayIn(at, zone)}</bdi>
        <span className="fc-second">
          <bdi>{formatTimeIn(at, zone)}</bdi>
        </span>
      </td>
      <td>
        {changedBy(point).map(({ who, what }, place) => (
          <div key={place}>
            <bdi>{who}</bdi>
            {what !== '' && (
              <span className="fc-second">
                <bdi>{what}</bdi>
              </span>
            )}
          </div>
        ))}
        {rules.map(({ id, name }) => (
          <Link key={id} to="/inventory/pricing-rules" search={{ rule: id }} className="fc-second fc-link">
            <bdi>{name}</bdi>
          </Link>
        ))}
      </td>
      <td className="fc-end fc-number">
        <bdi>{sellingCents === null ? before : price(sellingCents)}</bdi>
        {sellingCents !== null && (
          <>
            {totalCents !== sellingCents && (
              <span className="fc-second">
                <bdi>{price(totalCents)} in total</bdi>
              </span>
            )}
            {priceCents !== sellingCents && (
              <span className="fc-second">
                <bdi>{before}</bdi>
              </span>
            )}
          </>
        )}
      </td>
    </tr>
  )
}

const sellingSteps = (points: readonly PricePoint[]) =>
  points.map(({ at, sellingCents }) => ({ at, priceCents: sellingCents }))

function Chart({
  points,
  price,
}: {
  points: readonly PricePoint[]
  price: (cents: number | null) => string
}) {
  // The time when the page was opened, so that the chart doesn't move while it is shown.
  const session = useSessionOwner()
  const [now] = useState(() => session.now)
  const selling = sellingSteps(points)
  const before = drawSteps(points, { ...BOX, now, beside: selling })
  const chart = drawSteps(selling, { ...BOX, now, beside: points })
  const { end, least, most } = chart ?? before ?? { end: null, least: null, most: null }
  const titleOf = (point: PricePoint | undefined) =>
    point &&
    `${formatDayIn(point.at, point.zone)}, ${formatTimeIn(point.at, point.zone)}: ${price(point.sellingCents ?? point.priceCents)}, ${changedByText(point)}`
  const changes = points.length - 1
  const [first] = points
  const since = first === undefined ? '' : formatDayIn(first.at, first.zone)
  const current = points.at(-1)
  const last =
    chart === null
      ? `${price(current?.priceCents ?? null)} before rules`
      : `selling price ${price(current?.sellingCents ?? null)}`
  const by = current && changes > 0 ? `, changed by ${changedByText(current)}` : ''
  const words =
    changes === 0
      ? `${last} since ${since}`
      : `${count(changes, 'change', 'changes')} since ${since}, between ${price(least)} and ${price(most)}, ${last} now${by}`
  return (
    <figure className="fc-price-chart">
      <svg viewBox={`-4 -6 ${BOX.width + 10} ${BOX.height + 12}`} aria-hidden="true">
        <path d={`M0 ${BOX.height + 4}H${BOX.width}`} className="fc-price-axis" />
        {before && <path d={before.path} className="fc-price-line fc-price-before" />}
        {chart && <path d={chart.path} className="fc-price-line" />}
        {(chart ?? before)?.dots.map(({ x, y, at }) => (
          <circle key={at} cx={x} cy={y} r={5} fill="transparent">
            <title>{titleOf(points[at])}</title>
          </circle>
        ))}
        {end && <circle cx={end.x} cy={end.y} r={3.5} className="fc-price-dot" />}
      </svg>
      <figcaption className="fc-small fc-soft">
        <bdi>{`${words}.`}</bdi>
        {chart && ' The thin line is the price before rules.'}
      </figcaption>
    </figure>
  )
}
