import type { Output } from '#contract/endpoint.ts'
import type { dashboard, EmissionLine } from '#contract/home/dashboard.ts'
import { atLeast, wholeTotal } from '#web/carbon/index.ts'
import { CountFigure } from './CountFigure.tsx'

type Figures = NonNullable<Output<typeof dashboard.carbon>>

/** The emissions of the current inventory to date. Each figure opens the results it adds up. */
export function CarbonFigures({ figures }: { figures: Figures }) {
  const { inventory, lines, points } = figures
  return (
    <section className="fc-strip" aria-label={`Emissions, ${inventory.name}`}>
      <CountFigure
        title={`${inventory.name}, market-based`}
        value={atLeast(wholeTotal(figures), 'market')}
        url={lines.all.url}
      >
        t CO2e to date
      </CountFigure>
      <CountFigure title="Scope 1" {...shown(lines.scope1)}>
        t CO2e
      </CountFigure>
      <CountFigure title="Scope 2, market-based" {...shown(lines.scope2)}>
        t CO2e
      </CountFigure>
      <CountFigure title="Scope 3" {...shown(lines.scope3)}>
        t CO2e
      </CountFigure>
      <CountFigure
        title="Data points due so far"
        value={`${points.there.toLocaleString()} of ${points.expected.toLocaleString()}`}
        url={null}
      >
        {`${points.estimated.toLocaleString()} estimated, ${points.missing.toLocaleString()} missing`}
      </CountFigure>
    </section>
  )
}

/** A dash without results. */
function shown({ kg, missing, url }: EmissionLine) {
  return { value: kg === null ? '–' : atLeast({ missing, market: kg, location: kg }, 'market'), url }
}
