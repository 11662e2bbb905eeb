import { CellMark } from './CellMark.tsx'
import type { Owner } from './explain.ts'

const MARKS = {
  inherited: { origin: 'inherited', isLocked: false, says: 'inherited' },
  set: { origin: 'set', isLocked: false, says: 'set here' },
  denied: { origin: 'denied', isLocked: false, says: 'denied here' },
  locked: { origin: 'none', isLocked: true, says: 'above the ceiling' },
} as const
const SHOWN = {
  person: [MARKS.inherited, MARKS.set, MARKS.denied, MARKS.locked],
  type: [MARKS.set, MARKS.locked],
}

/** What the marks mean; in the cells they stand without a word. */
export function Legend({ of }: { of: Owner['kind'] }) {
  return (
    <ul className="fc-legend" aria-label="Legend">
      {SHOWN[of].map(({ origin, isLocked, says }) => (
        <li key={says}>
          <CellMark origin={origin} isLocked={isLocked} />
          {says}
        </li>
      ))}
      <li>
        <span className="fc-legend-unsaved" aria-hidden="true" />
        not saved
      </li>
    </ul>
  )
}
