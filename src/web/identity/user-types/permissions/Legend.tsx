import { CellMark } from './CellMark.tsx'
import type { Owner } from './explain.ts'

const MARKS = {
  inherited: { origin: 'inherited', isLocked: false, label: 'inherited' },
  set: { origin: 'set', isLocked: false, label: 'granted here' },
  denied: { origin: 'denied', isLocked: false, label: 'denied here' },
  locked: { origin: 'none', isLocked: true, label: "you don't have this" },
} as const
const SHOWN = {
  user: [MARKS.inherited, MARKS.set, MARKS.denied, MARKS.locked],
  type: [MARKS.set, MARKS.locked],
}

/** What the marks in the cells mean. */
export function Legend({ of }: { of: Owner['kind'] }) {
  return (
    <ul className="fc-legend" aria-label="Legend">
      {SHOWN[of].map(({ origin, isLocked, label }) => (
        <li key={label}>
          <CellMark origin={origin} isLocked={isLocked} />
          {label}
        </li>
      ))}
      <li>
        <span className="fc-legend-unsaved" aria-hidden="true" />
        unsaved
      </li>
    </ul>
  )
}
