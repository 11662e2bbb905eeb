import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboard } from '#contract/home/dashboard.ts'
import { auth } from '#contract/identity/auth.ts'
import { query } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { useToday } from '#web/session/use-today.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { DueAssessments } from './DueAssessments.tsx'
import { LatestChanges } from './LatestChanges.tsx'
import { LotCharts, LotFigures } from './LotFigures.tsx'
import { Stock } from './Stock.tsx'
import { StockByAge } from './StockByAge.tsx'
import './dashboard.css'

const longDay = new Intl.DateTimeFormat(undefined, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  timeZone: 'UTC',
})

/** Items that need attention first, then figures, then recent changes. */
export function DashboardPage() {
  const { data, error, isPending, refetch } = useQuery(query(dashboard.get, {}))
  const me = useQuery(query(auth.me, {}))
  // The greeting uses the browser's time; the figures use the organization's date.
  const [now] = useState(() => new Date())
  const today = useToday()
  const [firstName = ''] = (me.data?.impersonateFullName ?? '').split(' ')
  const maySeeStock = useHolds()(dashboard.stock.allow) === true
  const stock = useQuery({ ...query(dashboard.stock, {}), enabled: maySeeStock })
  const attentionCount = [
    data?.lots?.withoutAddress ?? 0,
    data?.assessments?.overdue ?? 0,
    stock.data?.notForSale.hold ?? 0,
    stock.data ? stock.data.live - stock.data.published : 0,
  ].filter((number) => number > 0).length
  return (
    <div className="fc-list">
      <PageHeader
        title={[greet(now.getHours()), firstName].filter(Boolean).join(', ')}
        context={`${longDay.format(new Date(today))}. ${data && !stock.isLoading ? summarize(attentionCount) : ''}`}
      />
      {error && (
        <FailureState
          failure={error}
          endpoint={dashboard.get}
          what="the dashboard"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <Spinner label="Loading the dashboard" />}
      {data && (
        <div className="fc-dashboard">
          {maySeeStock && <Stock query={stock} />}
          {data.lots && <LotFigures lots={data.lots} />}
          <div className="fc-cards">
            {stock.data && <StockByAge lots={stock.data.lots} />}
            {data.lots && !maySeeStock && <LotCharts lots={data.lots} />}
            {data.assessments && <DueAssessments due={data.assessments} />}
            <LatestChanges changes={data.changes} />
          </div>
        </div>
      )}
    </div>
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
