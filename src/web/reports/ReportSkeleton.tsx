const ROWS = [0, 1]

/** Shown while reports load. */
export function ReportSkeleton() {
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
