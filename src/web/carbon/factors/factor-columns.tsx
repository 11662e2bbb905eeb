import type { FactorRow } from '#contract/carbon/factors/factor-schema.ts'
import type { FACTOR_LIST } from '#contract/carbon/factors/factor-list.ts'
import { showFigure } from '#contract/carbon/factors/figure.ts'
import type { Cells } from '#web/ui/list/table/shown-column.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { ORIGIN_NAMES, showScopes, showUnit } from './factor-labels.ts'
import { FactorLink } from './FactorLink.tsx'

/** Custom cells of columns that show more than their field. */
export const CELLS: Cells<FactorRow, keyof typeof FACTOR_LIST.fields> = {
  name: (factor) => (
    <>
      <FactorLink factor={factor} />
      <span className="fc-second">
        <bdi>{factor.category}</bdi>
      </span>
    </>
  ),
  scope: (factor) => <bdi>{showScopes(factor.scopes)}</bdi>,
  unit: (factor) => <bdi>{showUnit(factor)}</bdi>,
  region: (factor) => <bdi>{factor.region === 'any' ? 'Any' : factor.region}</bdi>,
  co2e: (factor) => <Co2e factor={factor} />,
  publisher: (factor) => (
    <>
      <bdi>{factor.publisher}</bdi>
      <span className="fc-second">
        <bdi>{factor.edition}</bdi>
      </span>
    </>
  ),
  basis: (factor) => <bdi>{factor.calorificBasis}</bdi>,
  origin: (factor) => <Origin factor={factor} />,
  isCurrent: (factor) => <Origin factor={factor} />,
  validFrom: (factor) => (
    <>
      <bdi>{factor.validFrom}</bdi>
      <span className="fc-second">
        <bdi>{factor.validTo === null ? 'no end date' : `to ${factor.validTo}`}</bdi>
      </span>
    </>
  ),
}

export const WIDTHS = {
  name: 276,
  region: 104,
  scope: 128,
  unit: 152,
  co2e: 152,
  publisher: 168,
  validFrom: 120,
}

/** A factor on a narrow screen. */
export function FactorBlock({ factor }: { factor: FactorRow }) {
  return (
    <>
      <div className="fc-block-head">
        <FactorLink factor={factor} />
        <Co2e factor={factor} />
      </div>
      <div className="fc-small fc-faint">
        <bdi>
          {showScopes(factor.scopes)} · {factor.region === 'any' ? 'Any region' : factor.region} · per{' '}
          {showUnit(factor)}
        </bdi>
      </div>
      <div className="fc-block-head fc-small">
        <bdi className="fc-soft">
          {factor.publisher}, {factor.edition}
        </bdi>
        <Origin factor={factor} />
      </div>
    </>
  )
}

function Co2e({ factor: { co2e, scopes, gases } }: { factor: FactorRow }) {
  if (co2e === null) {
    return (
      <Status tone="warn" mark="alert">
        No value
      </Status>
    )
  }
  if (scopes.includes('outside')) {
    const biogenic = gases.find(({ isBiogenic }) => isBiogenic)
    return (
      <bdi className="fc-number fc-soft">
        {biogenic === undefined ? '' : showFigure(biogenic.kg)} biogenic
      </bdi>
    )
  }
  return <bdi className="fc-number">{showFigure(co2e)}</bdi>
}

function Origin({ factor: { origin, use, supersededBy } }: { factor: FactorRow }) {
  if (supersededBy !== null) {
    return (
      <Status tone="mute" mark="dash">
        Replaced
      </Status>
    )
  }
  if (use === 'avoided') {
    return (
      <Status tone="warn" mark="pause">
        Not for inventories
      </Status>
    )
  }
  return (
    <Status tone={origin === 'library' ? 'good' : 'info'} mark={origin === 'library' ? 'check' : 'quarter'}>
      {ORIGIN_NAMES[origin]}
    </Status>
  )
}
