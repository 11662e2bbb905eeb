import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { Output } from '#contract/endpoint.ts'
import type { dashboard } from '#contract/home/dashboard.ts'
import { count } from '#web/ui/layout/date-format.ts'
import './stock.css'
import { CHART_OR_TABLE, Toggle } from '#web/ui/controls/Toggle.tsx'
import { Link } from '#web/ui/controls/Link.tsx'

type Stock = Output<typeof dashboard.stock>
type Lot = Stock['lots'][number]

/** Vehicles whose days in stock nobody knows. */
const undated = ({ inStock, ages }: Lot): number => inStock - ages.reduce((sum, number) => sum + number, 0)

const AGES = ['0-30 days', '31-60 days', '61-90 days', '90+ days'] as const
/** More lots would push everything else off the page; the vehicle list has them all. */
const MAX_LOTS = 8

/** Vehicles by lot and days in stock, as bars or as a table. */
export function StockByAge({ stock }: { stock: Stock }) {
  const { lots } = stock
  const [form, setForm] = useState<keyof typeof CHART_OR_TABLE>('chart')
  const shown = lots.slice(0, MAX_LOTS)
  if (shown.length === 0) return null
  return (
    <section className="fc-card">
      <header>
        <h2>Inventory aging</h2>
        <span className="fc-grow fc-small fc-faint">
          {lots.length > MAX_LOTS ? `vehicles in the ${MAX_LOTS} largest lots` : 'vehicles per lot'}
        </span>
        <Toggle label="Inventory aging: show as" choices={CHART_OR_TABLE} value={form} onChange={setForm} />
      </header>
      <p>
        <Summary {...stock} />
      </p>
      {form === 'table' ? <AgeTable lots={shown} /> : <AgeBars lots={shown} />}
    </section>
  )
}

/** How many vehicles are old, with a link to them, and of how many the age is unknown. */
function Summary({ lots, inStock, over90 }: Stock) {
  const unknown = lots.reduce((sum, lot) => sum + undated(lot), 0)
  const note = unknown === 0 ? '' : ` ${count(unknown, 'vehicle has', 'vehicles have')} no arrival date.`
  if (over90.count === 0 || over90.url === null) return `No vehicles over 90 days.${note}`
  const share = Math.round((over90.count / inStock.count) * 100)
  return (
    <>
      <Link to={over90.url} className="fc-link">
        {`${count(over90.count, 'vehicle', 'vehicles')} over 90 days`}
      </Link>
      {`, ${share < 1 ? 'under 1' : share}% of stock.${note}`}
    </>
  )
}

function AgeBars({ lots }: { lots: readonly Lot[] }) {
  return (
    <>
      <ul className="fc-ages">
        {lots.map((lot) => (
          <li key={lot.id}>
            <bdi className="fc-cut">{lot.name}</bdi>
            <span className="fc-number">{lot.inStock.toLocaleString()}</span>
            <span className="fc-ages-bar">
              {[...AGES, 'no arrival date'].map((age, at) => {
                const number = lot.ages[at] ?? undated(lot)
                if (number === 0) return null
                return (
                  <span key={age} style={{ flexGrow: number }}>
                    <i data-age={at} aria-hidden="true" />
                    <span className="fc-number">{number.toLocaleString()}</span>
                    <VisuallyHidden> {age}, </VisuallyHidden>
                  </span>
                )
              })}
            </span>
          </li>
        ))}
      </ul>
      <ul className="fc-ages-legend" aria-hidden="true">
        {AGES.map((age, at) => (
          <li key={age}>
            <i data-age={at} />
            {age}
          </li>
        ))}
        {lots.some((lot) => undated(lot) > 0) && (
          <li>
            <i data-age={AGES.length} />
            No arrival date
          </li>
        )}
      </ul>
    </>
  )
}

function AgeTable({ lots }: { lots: readonly Lot[] }) {
  return (
    <table className="fc-card-table">
      <thead>
        <tr>
          <th scope="col">Lot</th>
          {AGES.map((age) => (
            <th key={age} scope="col" className="fc-number">
              {age}
            </th>
          ))}
          <th scope="col" className="fc-number">
            No date
          </th>
          <th scope="col" className="fc-number">
            In stock
          </th>
        </tr>
      </thead>
      <tbody>
        {lots.map((lot) => (
          <tr key={lot.id}>
            <th scope="row">
              <bdi>{lot.name}</bdi>
            </th>
            {AGES.map((age, at) => (
              <td key={age} className="fc-number">
                {(lot.ages[at] ?? 0).toLocaleString()}
              </td>
            ))}
            <td className="fc-number">{undated(lot).toLocaleString()}</td>
            <td className="fc-number">{lot.inStock.toLocaleString()}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
