import { type MouseEvent, useRef } from 'react'
import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import { writeDay } from '#contract/organizations/facilities/inclusion.ts'
import type { Cell } from './assignment-draft.ts'
import { receivedOf, receivedWords } from './received.ts'
import { GapMark, ReceivedMark } from './ReceivedMark.tsx'

type Props = {
  /** Null: not assigned. */
  cell: Cell | null
  /** "Electricity at Auburn Boulevard". */
  place: string
  names: ReadonlyMap<string, string>
  /** Who was asked for its figures, and what came of it. */
  told: string | null
  /** Why it will come to nothing; null where a factor leads there. */
  gap: string | null
  /** How far its data points are; null while the cell is not saved as it stands. */
  source: EmissionSource | null
  /** `2026-11-22` */
  today: string
  row: number
  column: number
  isReadOnly: boolean
  onTick: (isTicked: boolean, event: MouseEvent | null) => void
  onEdit: () => void
}

/** A tick, and beside it who brings the figures until when: pressing that opens the cell. */
export function AssignmentCell(props: Props) {
  const { cell, place, names, told, gap, source, today, row, column, isReadOnly, onTick, onEdit } = props
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
        // A change does not say whether Shift was held, the click before it does.
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
          <bdi>{words}</bdi> <Told words={told} />
        </span>
      )}
      {cell !== null && !isReadOnly && (
        <button
          type="button"
          className="fc-matrix-open"
          aria-haspopup="dialog"
          aria-label={`${words}, ${told === null ? '' : `${told}, `}${place}`}
          onClick={onEdit}
        >
          <bdi>{words}</bdi> <Told words={told} />
        </button>
      )}
      {gap !== null && <GapMark words={gap} />}
      {source && received && <ReceivedMark received={received} words={receivedWords(received, source)} />}
    </div>
  )
}

function Told({ words }: { words: string | null }) {
  if (words === null) return null
  return (
    <span className="fc-matrix-told">
      <bdi>{words}</bdi>
    </span>
  )
}

function describe({ personId, dueOn }: Cell, names: ReadonlyMap<string, string>): string {
  const who = personId === null ? 'Nobody yet' : (names.get(personId) ?? 'Somebody who left')
  return dueOn === null ? who : `${who}, ${writeDay(dueOn)}`
}
