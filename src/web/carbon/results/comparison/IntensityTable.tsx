import type { Comparison } from '#contract/carbon/results/comparison.ts'
import { Figure } from '#contract/carbon/factors/figure.ts'
import { denominatorName, tonnes } from '../../activity/insight-labels.ts'
import { formatChange } from './bridge-labels.ts'

/** There is no percentage of 0, and none between totals of different data points. */
function changeText({ before, change }: Comparison['intensities'][number]): string {
  if (change !== null) return formatChange(new Figure(change))
  return Number(before) === 0 ? 'From 0' : 'Not comparable: different data points'
}

/** Emission intensities by the denominators that both inventories have. Renders nothing if there are none. */
export function IntensityTable({ comparison: { intensities, before, after } }: { comparison: Comparison }) {
  if (intensities.length === 0) return null
  return (
    <section className="fc-insights-card" aria-labelledby="compare-intensity">
      <header>
        <h2 id="compare-intensity">Intensity</h2>
        <span className="fc-grow fc-small fc-faint">t CO2e per unit</span>
      </header>
      <div className="fc-insights-table">
        <table>
          <thead>
            <tr>
              <th scope="col">Per</th>
              <th scope="col">
                <bdi>{before.name}</bdi>
              </th>
              <th scope="col">
                <bdi>{after.name}</bdi>
              </th>
              <th scope="col">Change</th>
            </tr>
          </thead>
          <tbody>
            {intensities.map((one) => (
              <tr key={`${one.kind} ${one.name ?? ''} ${one.unit}`}>
                <th scope="row">
                  <bdi>
                    {denominatorName(one)}, {one.unit}
                  </bdi>
                </th>
                <td>{tonnes(one.before)}</td>
                <td>{tonnes(one.after)}</td>
                <td>{changeText(one)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
