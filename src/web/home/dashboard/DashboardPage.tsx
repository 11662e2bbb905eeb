import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Decision, dashboard } from '#contract/home/dashboard.ts'
import { auth } from '#contract/identity/auth.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useToday } from '#web/session/use-today.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { type Load, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { Decisions } from './Decisions.tsx'
import { DueAssessments } from './DueAssessments.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { LatestChanges } from './LatestChanges.tsx'
import { LotCharts, LotFigures } from './LotFigures.tsx'
import { MissingData } from './MissingData.tsx'
import { Stock } from './Stock.tsx'
import { StockByAge } from './StockByAge.tsx'
import './dashboard.css'
import type { Output } from '#contract/endpoint.ts'
import { CarbonFigures } from './CarbonFigures.tsx'
import { FiguresLoading } from './FiguresLoading.tsx'

const longDay = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

/** What needs a decision first, then the figures, then what is due and what changed. */
export function DashboardPage() {
  const me = useQuery(query(auth.me, {}))
  // The greeting uses the browser's time; the figures use the organization's date.
  const [now] = useState(() => new Date())
  const today = useToday()
  const [firstName = ''] = (me.data?.impersonateFullName ?? '').split(' ')
  const holds = useHolds()
  const maySeeStock = holds(dashboard.stock.allow) === true
  const maySeeCarbon = holds(dashboard.carbon.allow) === true
  const decisions = useLoad(query(dashboard.decisions, {}))
  const stock = useLoad({ ...query(dashboard.stock, {}), enabled: maySeeStock })
  const carbon = useLoad({ ...query(dashboard.carbon, {}), enabled: maySeeCarbon })
  // Users who enter carbon data but no vehicles see carbon first.
  const isCarbonFirst =
    holds(can(Func.carbonEmission, Opr.update)) === true && holds(can(Func.vehicles, Opr.update)) !== true
  const emissions = maySeeCarbon && <Carbon load={carbon} />
  const collected = carbon.data ? (
    <MissingData inventory={carbon.data.inventory} points={carbon.data.points} />
  ) : null
  return (
    <div className="fc-list">
      <PageHeader
        title={[greet(now.getHours()), firstName].filter(Boolean).join(', ')}
        context={`${longDay.format(new Date(today))}. ${decisions.data ? summarize(decisions.data.length) : ''}`}
      />
      <Loaded query={query(dashboard.get, {})} what="the dashboard" shape="spinner">
        {(data) => (
          <div className="fc-dashboard">
            <LoadedDecisions load={decisions} />
            <FirstSteps steps={data.firstSteps} />
            {isCarbonFirst && emissions}
            {maySeeStock ? <Stock load={stock} /> : data.lots && <LotFigures lots={data.lots} />}
            {!isCarbonFirst && emissions}
            <div className="fc-cards">
              {isCarbonFirst && collected}
              {stock.data && <StockByAge stock={stock.data} />}
              {data.lots && !maySeeStock && <LotCharts lots={data.lots} />}
              {data.assessments && <DueAssessments due={data.assessments} />}
              {!isCarbonFirst && collected}
              <LatestChanges changes={data.changes} />
            </div>
          </div>
        )}
      </Loaded>
    </div>
  )
}

/** They load separately, so that the page doesn't wait for counts in large lists. */
function LoadedDecisions({ load }: { load: Load<Decision[]> }) {
  return (
    <Loaded query={load} what="the items that need attention" shape={<DecisionsSkeleton />}>
      {(decisions) => <Decisions decisions={decisions} />}
    </Loaded>
  )
}

function DecisionsSkeleton() {
  return (
    <output className="fc-decisions" aria-label="Loading items that need attention">
      {['first', 'second', 'third'].map((key) => (
        <span key={key} className="fc-decision">
          <span className="fc-skeleton" style={{ inlineSize: '60%', blockSize: 24 }} />
          <span className="fc-skeleton" style={{ inlineSize: '80%' }} />
        </span>
      ))}
    </output>
  )
}

function greet(hour: number): string {
  if (hour < 5 || hour >= 18) return 'Good evening'
  return hour < 12 ? 'Good morning' : 'Good afternoon'
}

function summarize(attentionCount: number): string {
  if (attentionCount === 0) return 'Nothing needs your attention.'
  return `${count(attentionCount, 'item needs', 'items need')} your attention.`
}

type Props = { load: Load<Output<typeof dashboard.carbon>> }

/** The emissions of the current inventory. Hidden without one. */
function Carbon({ load }: Props) {
  return (
    <Loaded
      query={load}
      what="the emissions"
      shape={
        <FiguresLoading
          label="Loading emissions"
          titles={['Emissions', 'Scope 1', 'Scope 2, market-based', 'Scope 3', 'Data points due so far']}
        />
      }
    >
      {(figures) => figures && <CarbonFigures figures={figures} />}
    </Loaded>
  )
}
