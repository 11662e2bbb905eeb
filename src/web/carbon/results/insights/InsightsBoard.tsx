import { IconChartBar } from '@tabler/icons-react'
import { lazy, Suspense } from 'react'
import { ledger } from '#contract/carbon/results/ledger.ts'
import type { TotalLine, Totals } from '#contract/carbon/activity/ledger-schema.ts'
import { live } from '#web/api/live.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { type LedgerTotal, lineText, readLine } from '#contract/carbon/results/ledger-filter.ts'
import { type Method, otherGwpsNote } from '../../activity/insight-labels.ts'
import { CoverageCard } from './CoverageCard.tsx'
import { FacilityCard } from './FacilityCard.tsx'
import { MonthCard } from './MonthCard.tsx'
import { AttentionCard } from './AttentionCard.tsx'
import { Scope3Card } from './Scope3Card.tsx'
import { TotalFigures } from './TotalFigures.tsx'
import { TotalsCard } from './TotalsCard.tsx'
import { WhyChangedCard } from './WhyChangedCard.tsx'
import '#web/carbon/activity/records/activity.css'
import './insights.css'
import { Toggle } from '#web/ui/controls/Toggle.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'

const LedgerDrawer = lazy(async () => ({ default: (await import('./LedgerDrawer.tsx')).LedgerDrawer }))

/** `line`: the total whose rows are open. `result`: the explained row. `method`: for scope 2, location-based by default. */
type Search = { line?: string | undefined; result?: string | undefined; method?: Method | undefined }

type Props = { inventoryId: string; search: Search; onShow: (change: Search) => void }

/** The sources, largest first by this method. */
function sourceLines({ sources }: Totals, method: Method): TotalLine[] {
  return sources.toSorted((one, other) => Number(other[method]) - Number(one[method]))
}

/** The emissions and coverage of an inventory. Every total opens its rows, and a row its calculation. */
export function InsightsBoard({ inventoryId, search, onShow }: Props) {
  return (
    <Loaded
      query={live(query(ledger.totals, { inventoryId }), {
        // Totals change while sources are being recalculated.
        while: (totals) => totals !== undefined && totals.pending > 0,
      })}
      what="the totals"
      shape="spinner"
      label="Loading totals"
    >
      {(data) => {
        if (data.records.total === 0 && Number(data.total.imported) === 0) {
          return (
            <EmptyState
              icon={<IconChartBar size={18} />}
              title="No totals yet"
              text={`Totals appear here once activity data is entered. ${data.coverage.sentence}`}
            >
              {null}
            </EmptyState>
          )
        }
        const method = search.method ?? 'location'
        // A total opens the rows of its own method, so that they add up to it.
        const open = (line: LedgerTotal, one: Method = method) =>
          onShow({ line: lineText(line), method: one, result: undefined })
        const line = readLine(search.line)
        const cards = { method, onOpen: open }
        return (
          <div className="fc-insights">
            {data.pending > 0 && (
              <output className="fc-insights-note">Some sources are being recalculated.</output>
            )}
            <TotalFigures totals={data} {...cards} />
            <div className="fc-insights-method">
              <Toggle
                label="Scope 2 method in charts"
                choices={{ location: 'Location-based', market: 'Market-based' }}
                value={method}
                onChange={(one) => onShow({ method: one })}
              />
            </div>
            <div className="fc-insights-row fc-insights-row-two">
              <MonthCard totals={data} {...cards} />
              <WhyChangedCard inventoryId={inventoryId} method={method} />
            </div>
            <div className="fc-insights-row fc-insights-row-three">
              <FacilityCard totals={data} {...cards} />
              <TotalsCard title="By scope" by="scope" lines={data.scopes} {...cards} />
              <AttentionCard totals={data} />
            </div>
            <div className="fc-insights-cards">
              <Scope3Card totals={data} {...cards} />
              <TotalsCard title="By source" by="source" lines={sourceLines(data, method)} {...cards} />
              <TotalsCard
                title="By gas"
                by={null}
                lines={data.gases}
                {...cards}
                note={otherGwpsNote(data, method)}
              />
              <CoverageCard coverage={data.coverage} />
            </div>
            <Suspense>
              {line && (
                <LedgerDrawer
                  inventoryId={inventoryId}
                  line={line}
                  method={method}
                  result={search.result}
                  onExplain={(result) => onShow({ result })}
                  onClose={() => onShow({ line: undefined, result: undefined })}
                />
              )}
            </Suspense>
          </div>
        )
      }}
    </Loaded>
  )
}
