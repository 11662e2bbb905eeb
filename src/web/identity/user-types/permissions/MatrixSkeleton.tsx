import { OPERATIONS } from './matrix.ts'
import './permissions.css'

const LENGTHS = [44, 62, 38, 56, 50, 66, 41, 58]

/** Placeholder while the matrix loads. */
export function MatrixSkeleton() {
  return (
    <div className="fc-matrix" aria-busy>
      <output className="fc-hidden">Loading permissions</output>
      <div className="fc-toolbar fc-matrix-wait">
        <span className="fc-skeleton" style={{ inlineSize: 180 }} />
      </div>
      <div className="fc-matrix-frame" aria-hidden="true">
        {Array.from({ length: 16 }, (_, row) => (
          <div key={row} className="fc-matrix-wait-row">
            <span className="fc-skeleton" style={{ inlineSize: `${LENGTHS[row % LENGTHS.length] ?? 50}%` }} />
            {OPERATIONS.map(({ opr }) => (
              <span key={opr} className="fc-skeleton fc-skeleton-cell" />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
