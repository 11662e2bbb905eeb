import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { carbonComparison, type Comparison } from '#contract/carbon/results/comparison.ts'
import { query } from '#web/api/query.ts'
import { CHART_OR_TABLE, Toggle } from '#web/ui/controls/Toggle.tsx'
import { EFFECT_NAMES, finding, isMinimum, signedTonnes, toneOf } from '../comparison/bridge-labels.ts'
import { usePreviousYear } from '../comparison/use-previous-year.ts'
import { type BridgeColumn, bridgeColumns } from './bridge-columns.ts'
import { type Method, tonnes } from '../../activity/insight-labels.ts'
import styles from './WhyChangedCard.module.css'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = { inventoryId: string; method: Method }

/** The change from the prior year by boundary, activity, method and factors, with a link to compare other years. */
export function WhyChangedCard({ inventoryId, method }: Props) {
  const before = usePreviousYear(inventoryId)
  const { data } = useQuery({
    ...query(carbonComparison.compare, { before: before ?? '0', after: inventoryId, method }),
    enabled: before !== undefined,
  })
  const [form, setForm] = useState<keyof typeof CHART_OR_TABLE>('chart')
  return (
    <section className="fc-insights-card" aria-labelledby="insights-bridge">
      <header>
        <h2 id="insights-bridge">Why it changed</h2>
        <span className="fc-grow fc-small fc-faint">t CO2e</span>
        {data && (
          <Toggle label="Why it changed: show as" choices={CHART_OR_TABLE} value={form} onChange={setForm} />
        )}
      </header>
      {data ? (
        <>
          <p>
            <bdi>
              {finding(data)} {data.after.name} has {data.after.coverage}.
            </bdi>
          </p>
          {form === 'table' ? <BridgeRows comparison={data} /> : <BridgeChart comparison={data} />}
        </>
      ) : (
        <p>Available once there is an inventory for the prior year with the same boundary.</p>
      )}
      <p className="fc-small">
        <Link to="/carbon/compare" search={{ after: inventoryId }}>
          Compare with another year
        </Link>
      </p>
    </section>
  )
}

type BridgeProps = { comparison: Comparison }

function BridgeChart({ comparison }: BridgeProps) {
  const { total, before, after } = comparison
  const names = { before: before.name, after: after.name, ...EFFECT_NAMES }
  return (
    <ul className={styles.bridge} dir="ltr">
      {bridgeColumns(total).map(({ key, kg, from, share, level }) => {
        return (
          <li key={key} data-tone={toneOf(key, Number(kg))}>
            <span
              className={styles.column}
              style={{ insetBlockEnd: `${from * 100}%`, blockSize: `${share * 100}%` }}
              aria-hidden="true"
            />
            {key !== 'after' && (
              <span
                className={styles.carry}
                style={{ insetBlockEnd: `${level * 100}%` }}
                aria-hidden="true"
              />
            )}
            <bdi className={styles.figure} style={{ insetBlockEnd: `${(from + share) * 100}%` }}>
              {columnText(comparison, { key, kg })}
            </bdi>
            <bdi className={styles.name}>{names[key]}</bdi>
          </li>
        )
      })}
    </ul>
  )
}

/** An amount in tonnes: a change has a sign, and an incomplete total is a minimum. */
function columnText(comparison: Comparison, { key, kg }: Pick<BridgeColumn, 'key' | 'kg'>): string {
  if (key !== 'before' && key !== 'after') return signedTonnes(kg)
  return `${isMinimum(comparison, key) ? 'at least ' : ''}${tonnes(kg)}`
}

function BridgeRows({ comparison }: BridgeProps) {
  const { total, before, after } = comparison
  const names = { before: before.name, after: after.name, ...EFFECT_NAMES }
  return (
    <section className="fc-insights-table" aria-label="Why it changed, table">
      <table>
        <thead>
          <tr>
            <th scope="col">What changed</th>
            <th scope="col">t CO2e</th>
          </tr>
        </thead>
        <tbody>
          {bridgeColumns(total).map(({ key, kg }) => (
            <tr key={key}>
              <th scope="row">
                <bdi>{names[key]}</bdi>
              </th>
              <td>{columnText(comparison, { key, kg })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
