import { IconReport } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { reports } from '#contract/reports/reports.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { ReportCard } from './ReportCard.tsx'
import { ReportSkeleton } from './ReportSkeleton.tsx'
import './reports.css'

/** The reports there are, each with the formats it comes in. */
export function ReportsPage() {
  const { data, error, isPending, refetch } = useQuery(query(reports.list, {}))
  return (
    <div className="fc-list">
      <PageHeader title="Reports" context="Made at the moment you ask, from what you may see." />
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
          title="No reports yet"
          text="Reports sum up what the product knows in a file for others. None is there for you."
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
