import { useState } from 'react'
import type { Factor } from '#contract/carbon/factors/factor-schema.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import { GWP_SETS, type GwpSet, type Resolved } from '#contract/carbon/factors/resolve.ts'
import { formulaOf, showGas } from './factor-labels.ts'

/** The emissions per unit by gas with each of the three GWP sets, and the formula with the selected one. */
export function FactorFigures({ factor }: { factor: Factor }) {
  const [set, setSet] = useState<GwpSet>('AR5')
  const { resolved, unit, gwpSet } = factor
  const shown = resolved.find((one) => one.gwpSet === set) ?? resolved[0]
  const isFixed = resolved.some((one) => one.isFixed)
  const others = shown?.gases.filter(({ otherGwp }) => otherGwp !== null) ?? []
  return (
    <section className="fc-factor-figures" aria-label="Emissions per unit">
      <div className="fc-factor-scroll">
        <table>
          <caption>kg per {unit}</caption>
          <thead>
            <tr>
              <th scope="col">Gas</th>
              <th scope="col" className="fc-end">
                Published
              </th>
              {GWP_SETS.map((one) => (
                <th key={one} scope="col" className="fc-end">
                  {one}, CO2e
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {factor.gases.map((gas, at) => (
              <tr key={showGas(gas)}>
                <th scope="row">
                  <bdi>{showGas(gas)}</bdi>
                </th>
                <td className="fc-end">
                  <bdi>{showFigure(gas.kg)}</bdi>
                  <span className="fc-second">{gas.basis === 'gas' ? 'kg of gas' : 'kg CO2e'}</span>
                </td>
                {resolved.map((one) => (
                  <td key={one.gwpSet} className="fc-end">
                    <Cell row={one.gases[at]} />
                  </td>
                ))}
              </tr>
            ))}
            <tr className="fc-factor-total">
              <th scope="row" colSpan={2}>
                Total in scopes
              </th>
              {resolved.map((one) => (
                <td key={one.gwpSet} className="fc-end">
                  <bdi>{one.co2e === null ? 'No value' : showFigure(one.co2e)}</bdi>
                </td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
      {isFixed && (
        <p className="fc-small fc-soft">
          Published as CO2e with {gwpSet === null ? 'a GWP set that its source doesn\u2019t state' : gwpSet},
          so the GWP set of the inventory doesn&rsquo;t affect it.
        </p>
      )}
      <div className="fc-factor-formula">
        <fieldset className="fc-factor-facets" aria-label="GWP set of the formula">
          {GWP_SETS.map((one) => (
            <button key={one} type="button" aria-pressed={one === set} onClick={() => setSet(one)}>
              {one}
            </button>
          ))}
        </fieldset>
        {shown && (
          <ul>
            {formulaOf(factor, shown).map((line) => (
              <li key={line}>
                <bdi>{line}</bdi>
              </li>
            ))}
          </ul>
        )}
        {others.map(({ gas, gwp, otherGwp }) => (
          <p key={gas} className="fc-small fc-soft">
            The GWP used for {gas} is {showFigure(gwp ?? '0')}; another publisher lists{' '}
            {showFigure(otherGwp ?? '0')} for the same report.
          </p>
        ))}
      </div>
    </section>
  )
}

type Row = Resolved['gases'][number]

const PLACE_NAMES: Readonly<Record<Row['place'], string | null>> = {
  scope: null,
  part: 'in the total',
  biogenic: 'outside scopes',
  other: 'outside scopes',
  unknown: null,
}

function Cell({ row }: { row: Row | undefined }) {
  if (row === undefined) return null
  const words = PLACE_NAMES[row.place]
  return (
    <>
      <bdi>{row.co2e === null ? 'No value' : showFigure(row.co2e)}</bdi>
      {words !== null && <span className="fc-second">{words}</span>}
      {row.gwp !== null && words === null && row.gas !== 'CO2' && (
        <span className="fc-second">x {showFigure(row.gwp)}</span>
      )}
    </>
  )
}
