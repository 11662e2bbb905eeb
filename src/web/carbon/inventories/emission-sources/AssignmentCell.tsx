import { type MouseEvent, useRef } from 'react'
import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import type { Cell } from './assignment-draft.ts'
import { receivedOf, receivedLabel } from './received.ts'
import { GapMark, ReceivedMark } from './ReceivedMark.tsx'

type Props = {
  /** Null: not assigned. */
  cell: Cell | null
  /** "Electricity at Auburn Boulevard". */
  place: string
  names: ReadonlyMap<string, string>
  /** The status of its data request; null without one. */
  request: string | null
  /** Why it can't be calculated; null if it has a factor. */
  gap: string | null
  /** The saved source, with its data points; null while the cell has unsaved changes. */
  source: EmissionSource | null
  /** `2026-11-22` */
  today: string
  row: number
  column: number
  isReadOnly: boolean
  onTick: (isTicked: boolean, event: MouseEvent | null) => void
  onEdit: () => void
}

/** A checkbox, with the data owner and due date as a button that opens the cell. */
export function AssignmentCell(props: Props) {
  const { cell, place, names, request, gap, source, today, row, column, isReadOnly, onTick, onEdit } = props
  const press = useRef<MouseEvent | null>(null)
  const words = cell === null ? '' : describe(cell, names)
  const received = source && receivedOf(source, today)
  return (
    <div className="fc-matrix-cell">
      <input
        type="checkbox"
        aria-label={place}
        checked={cell !== null}
        disabled={isReadOnly}
        data-row={row}
        data-column={column}
        // A change event has no Shift state; the click before it does.
        onClick={(event) => {
          press.current = event
        }}
        onChange={(event) => {
          onTick(event.currentTarget.checked, press.current)
          press.current = null
        }}
      />
      {cell !== null && isReadOnly && (
        <span className="fc-small fc-soft">
          <bdi>{words}</bdi> <RequestStatus words={request} />
        </span>
      )}
      {cell !== null && !isReadOnly && (
        <button
          type="button"
          className="fc-matrix-open"
          aria-haspopup="dialog"
          aria-label={`${words}, ${request === null ? '' : `${request}, `}${place}`}
          onClick={onEdit}
        >
          <bdi>{words}</bdi> <RequestStatus words={request} />
        </button>
      )}
      {gap !== null && <GapMark words={gap} />}
      {source && received && <ReceivedMark received={received} words={receivedLabel(received, source)} />}
    </div>
  )
}

function RequestStatus({ words }: { words: string | null }) {
  if (words === null) return null
  return (
    <span className="fc-matrix-told">
      <bdi>{words}</bdi>
    </span>
  )
}

function describe({ dataOwnerId, dueOn, label }: Cell, names: ReadonlyMap<string, string>): string {
  const who = dataOwnerId === null ? 'No data owner' : (names.get(dataOwnerId) ?? 'Former user')
  return [label, who, dueOn === null ? null : writeDay(dueOn)].filter(Boolean).join(', ')
}
