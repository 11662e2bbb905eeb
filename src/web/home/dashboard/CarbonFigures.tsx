import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Figure, plain } from '#contract/carbon/factors/figure.ts'
import type { TotalLine } from '#contract/carbon/activity/ledger-schema.ts'
import type { Output } from '#contract/endpoint.ts'
import type { dashboard } from '#contract/home/dashboard.ts'
import { CARBON_STEPS, atLeast, type LineRef, lineText, type Method, wholeTotal } from '#web/carbon/index.ts'
import { useHolds } from '#web/session/use-session.ts'

type Figures = NonNullable<Output<typeof dashboard.carbon>>

/** The emissions of the current inventory to date. Each figure opens the rows it adds up. */
export function CarbonFigures({ figures }: { figures: Figures }) {
  const { inventory, scopes, points } = figures
  const whole = wholeTotal(figures)
  const of = (isWanted: (key: string) => boolean) => scopeTotal(scopes.filter(({ key }) => isWanted(key)))
  return (
    <section className="fc-strip" aria-label={`Emissions, ${inventory.name}`}>
      <Tile
        title={`${inventory.name}, market-based`}
        line={{ by: 'all', key: '' }}
        inventoryId={inventory.id}
        value={atLeast(whole, 'market')}
      >
        t CO2e to date
      </Tile>
      <Tile
        title="Scope 1"
        line={{ by: 'scope', key: '1' }}
        inventoryId={inventory.id}
        value={of((key) => key === '1')}
      >
        t CO2e
      </Tile>
      <Tile
        title="Scope 2, market-based"
        line={{ by: 'scope', key: '2' }}
        inventoryId={inventory.id}
        value={of((key) => key === '2')}
      >
        t CO2e
      </Tile>
      <Tile
        title="Scope 3"
        line={{ by: 'scope', key: '3' }}
        inventoryId={inventory.id}
        value={of((key) => key.startsWith('3.'))}
      >
        t CO2e
      </Tile>
      <div className="fc-figure">
        <span>Data points due so far</span>
        <b>
          {points.there.toLocaleString()} of {points.expected.toLocaleString()}
        </b>
        <span>
          {points.estimated.toLocaleString()} estimated, {points.missing.toLocaleString()} missing
        </span>
      </div>
    </section>
  )
}

/** The market-based total of scopes or categories; a dash without any. */
function scopeTotal(lines: readonly TotalLine[]): string {
  if (lines.length === 0) return '–'
  const market = plain(lines.reduce((sum, line) => sum.plus(line.market), new Figure(0)))
  const missing = lines.reduce((sum, line) => sum + line.missing, 0)
  return atLeast({ missing, market, location: market }, 'market')
}

type Props = { title: string; inventoryId: string; line: LineRef; value: string; children: ReactNode }
const METHOD: Method = 'market'

/** A figure that opens its rows, if the user may open the page. */
function Tile({ title, inventoryId, line, value, children }: Props) {
  const opens = useHolds()(CARBON_STEPS.insights.needs) === true
  const content = (
    <>
      <span>
        <bdi>{title}</bdi>
      </span>
      <b>{value}</b>
      <span>{children}</span>
    </>
  )
  if (!opens) return <div className="fc-figure">{content}</div>
  return (
    <Link
      className="fc-figure fc-figure-link"
      to="/carbon/insights"
      search={{ inventory: inventoryId, line: lineText(line), method: METHOD }}
    >
      {content}
      <IconChevronRight size={16} className="fc-flip" aria-hidden="true" />
    </Link>
  )
}
