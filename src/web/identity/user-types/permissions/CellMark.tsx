import type { Origin } from './matrix.ts'

type Props = { origin: Origin; isLocked: boolean }

const CHECK = 'm4.6 8.2 2.4 2.3 4.4-5'
const CROSS = 'm5.4 5.4 5.2 5.2m0-5.2-5.2 5.2'
const LOCK = 'M4.5 7.5h7v5h-7zM6 7.5V5.3a2 2 0 0 1 4 0v2.2'

/**
 * A cell's state, distinguished by shape: outlined check, filled check, cross, box, lock. A granted
 * permission that the caller doesn't have keeps its check and gets a small lock. Decorative: the accessible
 * name is on the checkbox.
 */
export function CellMark({ origin, isLocked }: Props) {
  const isGranted = origin === 'inherited' || origin === 'set'
  if (isLocked && !isGranted) {
    return (
      <svg
        className="fc-cell-mark fc-cell-lock"
        viewBox="0 0 16 16"
        width="16"
        height="16"
        aria-hidden="true"
      >
        <path d={LOCK} />
      </svg>
    )
  }
  return (
    <>
      <svg
        className={`fc-cell-mark fc-cell-${origin}`}
        viewBox="0 0 16 16"
        width="16"
        height="16"
        aria-hidden="true"
      >
        <rect x="0.5" y="0.5" width="15" height="15" rx="3.5" />
        {isGranted && <path d={CHECK} />}
        {origin === 'denied' && <path d={CROSS} />}
      </svg>
      {isLocked && (
        <svg
          className="fc-cell-lock fc-cell-held"
          viewBox="0 0 16 16"
          width="12"
          height="12"
          aria-hidden="true"
        >
          <path d={LOCK} />
        </svg>
      )}
    </>
  )
}
