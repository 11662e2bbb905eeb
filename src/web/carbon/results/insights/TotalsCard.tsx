import type { LedgerTotal } from '#contract/carbon/results/ledger-filter.ts'
import { useState } from 'react'
import type { TotalLine } from '#contract/carbon/activity/ledger-schema.ts'
import { atLeast, importedOf, type Method, tonnes } from '../../activity/insight-labels.ts'
import { CHART_OR_TABLE, Toggle } from '#web/ui/controls/Toggle.tsx'

type Props = {
  title: string
  /** What the key of a line identifies; null if its rows can't be listed separately. */
  by: Exclude<LedgerTotal['by'], 'all'> | null
  lines: readonly TotalLine[]
  method: Method
  /** What has to be known about the figures. */
  note?: string | null
  onOpen: (line: LedgerTotal) => void
}

/** Totals as bars, or as a table with both methods. Each total opens its rows. */
export function TotalsCard({ title, by, lines, method, note = null, onOpen }: Props) {
  const [form, setForm] = useState<keyof typeof CHART_OR_TABLE>('chart')
  return (
    <section className="fc-insights-card">
      <header>
        <h2>{title}</h2>
        <span className="fc-grow fc-small fc-faint">t CO2e</span>
        <Toggle label={`${title}: show as`} choices={CHART_OR_TABLE} value={form} onChange={setForm} />
      </header>
      <p>
        <bdi>{finding(lines, method)}</bdi>
      </p>
      {form === 'table' ? (
        <LineTable title={title} lines={lines} />
      ) : (
        <Bars by={by} lines={lines} method={method} onOpen={onOpen} />
      )}
      {note !== null && (
        <p className="fc-small fc-soft">
          <bdi>{note}</bdi>
        </p>
      )}
    </section>
  )
}

function finding(lines: readonly TotalLine[], method: Method): string {
  const known = lines.filter((line) => Number(line[method]) > 0)
  const all = known.reduce((sum, line) => sum + Number(line[method]), 0)
  const most = known.toSorted((one, other) => Number(other[method]) - Number(one[method]))[0]
  if (!most || all === 0) return 'No emissions yet.'
  const share = Math.round((Number(most[method]) / all) * 100)
  return `${most.title} is the largest: ${share < 1 ? 'under 1' : share}%.`
}

function Bars({ by, lines, method, onOpen }: Omit<Props, 'title'>) {
  const most = Math.max(0, ...lines.map((line) => Number(line[method])))
  return (
    <ul className="fc-insights-bars">
      {lines.map((line) => (
        <li key={line.key}>
          <bdi className="fc-cut">
            {line.title}
            {importedOf(line, method) !== null && (
              <span className="fc-second">{importedOf(line, method)}</span>
            )}
          </bdi>
          {by === null ? (
            <bdi className="fc-number">{atLeast(line, method)}</bdi>
          ) : (
            <button
              type="button"
              className="fc-text-button fc-number"
              aria-label={`${atLeast(line, method)} t, rows of ${line.title}`}
              onClick={() => onOpen({ by, key: line.key })}
            >
              {atLeast(line, method)}
            </button>
          )}
          <span className="fc-insights-bar" aria-hidden="true">
            <span
              style={{ inlineSize: `${most === 0 ? 0 : Math.max(0, (Number(line[method]) / most) * 100)}%` }}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}

function LineTable({ title, lines }: Pick<Props, 'title' | 'lines'>) {
  return (
    <div className="fc-insights-table">
      <table>
        <thead>
          <tr>
            <th scope="col">{title.replace('By ', '')}</th>
            <th scope="col">Location-based</th>
            <th scope="col">Market-based</th>
            <th scope="col">Biogenic</th>
            <th scope="col">Estimated</th>
            <th scope="col">Imported</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.key}>
              <th scope="row">
                <bdi>{line.title}</bdi>
              </th>
              <td>{atLeast(line, 'location')}</td>
              <td>{atLeast(line, 'market')}</td>
              <td>{tonnes(line.biogenic)}</td>
              <td>{line.estimated.toLocaleString()}</td>
              <td>{tonnes(line.imported)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
