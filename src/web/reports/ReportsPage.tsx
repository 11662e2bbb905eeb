import { IconReport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { reports } from '#contract/reports/reports.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { ReportCard } from './ReportCard.tsx'
import './reports.css'

/** The available reports with their formats. */
export function ReportsPage() {
  const { data, error, isPending, refetch } = useQuery(query(reports.list, {}))
  return (
    <div className="fc-list">
      <PageHeader title="Reports" context="Generated on demand from the data you can see." />
      {error && (
        <FailureState
          failure={error}
          endpoint={reports.list}
          what="the reports"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <ReportSkeleton />}
      {data?.length === 0 && (
        <EmptyState
          tone="brand"
          icon={<IconReport size={18} />}
          title="No reports"
          text="No reports are available to you."
        />
      )}
      {data && data.length > 0 && (
        <ul className="fc-reports">
          {data.map((report) => (
            <ReportCard key={report.name} report={report} />
          ))}
        </ul>
      )}
    </div>
  )
}

const ROWS = [0, 1]

/** Shown while reports load. */
function ReportSkeleton() {
  return (
    <ul className="fc-reports" aria-busy="true">
      {ROWS.map((row) => (
        <li key={row} className="fc-report">
          {row === 0 && <output className="fc-hidden">Loading reports</output>}
          <div className="fc-grow fc-report-skeleton">
            <span className="fc-skeleton" />
            <span className="fc-skeleton" />
          </div>
        </li>
      ))}
    </ul>
  )
}
