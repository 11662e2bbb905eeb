import type { Comparison } from '#contract/carbon/results/comparison.ts'
import { tonnes } from '../../activity/insight-labels.ts'
import { BridgeTable } from './BridgeTable.tsx'
import { IntensityTable } from './IntensityTable.tsx'
import { bridgeSteps, EFFECT_NAMES, finding, isMinimum, signedTonnes, toneOf } from './bridge-labels.ts'

/** The bridge of the total as a chart and a sentence, and tables by scope, facility and source. */
export function BridgeView({ comparison }: { comparison: Comparison }) {
  const { before, after, notes, scopes, facilities, sources } = comparison
  return (
    <div className="fc-compare-parts">
      <section className="fc-insights-card" aria-labelledby="compare-bridge">
        <header>
          <h2 id="compare-bridge">Bridge</h2>
          <span className="fc-grow fc-small fc-faint">t CO2e</span>
        </header>
        <p>
          <bdi>{finding(comparison)}</bdi>
        </p>
        <Bridge comparison={comparison} />
        {notes.length > 0 && (
          <ul className="fc-compare-notes">
            {notes.map((note) => (
              <li key={note}>
                <bdi>{note}</bdi>
              </li>
            ))}
          </ul>
        )}
        <dl className="fc-compare-coverage">
          {[before, after].map(({ id, name, coverage }) => (
            <div key={id}>
              <dt>
                <bdi>{name}</bdi>
              </dt>
              <dd>
                <bdi>{coverage}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <IntensityTable comparison={comparison} />
      <BridgeTable title="By scope" lines={scopes} comparison={comparison} />
      <BridgeTable title="By facility" lines={facilities} comparison={comparison} />
      <BridgeTable title="By source" lines={sources} comparison={comparison} />
    </div>
  )
}

/** Bars one below the other: the earlier total, the effects, the later total. */
function Bridge({ comparison }: { comparison: Comparison }) {
  const { total, before, after } = comparison
  const names = { before: before.name, after: after.name }
  const { steps, least, most } = bridgeSteps(total)
  const span = most - least
  const place = (value: number): number => (span === 0 ? 0 : ((value - least) / span) * 100)
  return (
    <ul className="fc-compare-bridge" aria-label="Change between inventories">
      {steps.map(({ key, from, to, kg }) => {
        const isStep = key !== 'before' && key !== 'after'
        return (
          <li key={key} data-tone={toneOf(key, Number(kg))}>
            <bdi className="fc-cut">{isStep ? EFFECT_NAMES[key] : names[key]}</bdi>
            <bdi className="fc-number">
              {isStep ? signedTonnes(kg) : `${isMinimum(comparison, key) ? 'at least ' : ''}${tonnes(kg)}`}
            </bdi>
            <span className="fc-compare-track" aria-hidden="true">
              <span
                style={{
                  insetInlineStart: `${place(Math.min(from, to))}%`,
                  inlineSize: `${Math.max(0.4, place(Math.max(from, to)) - place(Math.min(from, to)))}%`,
                }}
              />
            </span>
          </li>
        )
      })}
    </ul>
  )
}
