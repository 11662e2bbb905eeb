import type { GasShare } from '#contract/carbon/factors/gas-split.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import { showGas } from '#web/carbon/factors/factor-labels.ts'

type Props = {
  shares: readonly GasShare[]
  /** The IPCC report whose GWPs were used. */
  gwpSet: string
}

/** A result by gas: kg of the gas, its GWP, and kg CO2e. Biogenic CO2 has its own row. */
export function GasSplit({ shares, gwpSet }: Props) {
  if (shares.length === 0) return null
  return (
    <table className="fc-gas-split">
      <caption>By gas</caption>
      <thead>
        <tr>
          <th scope="col">Gas</th>
          <th scope="col">kg</th>
          {/* Figures published as CO2e don't depend on the inventory's GWP set. */}
          <th scope="col">{shares.some(({ gwp }) => gwp !== null) ? gwpSet : 'GWP'}</th>
          <th scope="col">kg CO2e</th>
        </tr>
      </thead>
      <tbody>
        {shares.map((share) => (
          <tr key={[share.gas, share.isBiogenic, share.basis, share.place, share.gwp].join(' ')}>
            <th scope="row">
              <bdi>{nameOf(share)}</bdi>
              {NOTES[share.place] !== '' && <span className="fc-second">{NOTES[share.place]}</span>}
            </th>
            {/* A factor published as CO2e has no kg of the gas itself. */}
            <td>{share.basis === 'gas' ? showFigure(share.kg) : 'as CO2e'}</td>
            <td>{weightOf(share)}</td>
            <td>{share.co2e === null ? 'No value' : showFigure(share.co2e)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

const nameOf = (share: GasShare): string =>
  share.gas === 'CO2e' ? 'Published as CO2e' : showGas({ gas: share.gas, isBiogenic: share.isBiogenic })

function weightOf({ gas, basis, gwp, place }: GasShare): string {
  if (basis === 'co2e' || place === 'biogenic') return ''
  if (gas === 'CO2') return '1'
  return gwp === null ? 'None' : showFigure(gwp)
}

const NOTES: Readonly<Record<GasShare['place'], string>> = {
  scope: '',
  part: 'part of the published total',
  biogenic: 'outside scopes',
  other: 'outside scopes, not a Kyoto Protocol gas',
  unknown: 'no GWP',
}
