import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { dashboard } from '#contract/home/dashboard.ts'
import { auth } from '#contract/identity/auth.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/FailureState.tsx'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { Spinner } from '#web/ui/Spinner.tsx'
import { LatestChanges } from './LatestChanges.tsx'
import { LotCharts, LotFigures } from './LotFigures.tsx'
import './dashboard.css'

const today = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })

/** What needs a decision first, then the figures, then what happened. */
export function DashboardPage() {
  const { data, error, isPending, refetch } = useQuery(query(dashboard.get, {}))
  const me = useQuery(query(auth.me, {}))
  const [now] = useState(() => new Date())
  const [firstName = ''] = (me.data?.impersonateFullName ?? '').split(' ')
  const missing = data?.lots?.withoutAddress ?? 0
  return (
    <div className="fc-list">
      <PageHeader
        title={[greet(now.getHours()), firstName].filter(Boolean).join(', ')}
        context={`${today.format(now)}. ${data ? sumUp(missing) : ''}`}
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
          {data.lots && <LotFigures lots={data.lots} />}
          <div className="fc-cards">
            {data.lots && <LotCharts lots={data.lots} />}
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

function sumUp(missing: number): string {
  return missing === 0 ? 'Nothing needs you.' : 'One thing needs a look.'
}
