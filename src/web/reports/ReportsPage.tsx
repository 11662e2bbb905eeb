import { IconReport } from '@tabler/icons-react'
import { reports } from '#contract/reports/reports.ts'
import { query } from '#web/api/query.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { ReportCard } from './ReportCard.tsx'
import './reports.css'

/** The available reports with their formats. */
export function ReportsPage() {
  return (
    <div className="fc-list">
      <PageHeader title="Reports" context="Generated on demand from the data you can see." />
      <Loaded query={query(reports.list, {})} what="the reports" shape={<ReportSkeleton />}>
        {(data) => (
          <>
            {data.length === 0 && (
              <EmptyState
                tone="brand"
                icon={<IconReport size={18} />}
                title="No reports"
                text="No reports are available to you."
              />
            )}
            {data.length > 0 && (
              <ul className="fc-reports">
                {data.map((report) => (
                  <ReportCard key={report.name} report={report} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
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
