import { useState } from 'react'
import { CHART_OR_TABLE, Toggle } from '#web/ui/controls/Toggle.tsx'

type Bar = { label: string; number: number }

/** Counts as bars, descending, or as a table. */
export function CountBars({ title, unit, bars }: { title: string; unit: string; bars: readonly Bar[] }) {
  const [form, setForm] = useState<keyof typeof CHART_OR_TABLE>('chart')
  const sorted = bars.toSorted((one, other) => other.number - one.number)
  const most = Math.max(1, ...bars.map(({ number }) => number))
  const leaders = bars.filter(({ number }) => number === most).map(({ label }) => label)
  return (
    <section className="fc-card">
      <header>
        <h2>{title}</h2>
        <span className="fc-grow fc-small fc-faint">{unit}</span>
        <Toggle label={`${title}: show as`} choices={CHART_OR_TABLE} value={form} onChange={setForm} />
      </header>
      <p>
        <bdi>
          <Finding leaders={leaders} most={most} isEven={leaders.length === bars.length} />
        </bdi>
      </p>
      {form === 'table' ? (
        <table className="fc-card-table">
          <tbody>
            {sorted.map(({ label, number }) => (
              <tr key={label}>
                <th scope="row">
                  <bdi>{label}</bdi>
                </th>
                <td className="fc-number">{number.toLocaleString()}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : (
        <ul className="fc-bars">
          {sorted.map(({ label, number }) => (
            <li key={label}>
              <span>
                <bdi>{label}</bdi>
              </span>
              <span className="fc-number">{number.toLocaleString()}</span>
              <span className="fc-bar" aria-hidden="true">
                <span style={{ inlineSize: `${(number / most) * 100}%` }} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** A one-sentence summary of the bars. */
function Finding({ leaders, most, isEven }: { leaders: string[]; most: number; isEven: boolean }) {
  if (isEven && leaders.length > 1) return `Equal counts: ${most.toLocaleString()} each.`
  const names = <bdi>{leaders.join(', ')}</bdi>
  if (isEven) return <>All: {names}.</>
  return (
    <>
      Most: {names} ({most.toLocaleString()}
      {leaders.length > 1 ? ' each' : ''}).
    </>
  )
}
