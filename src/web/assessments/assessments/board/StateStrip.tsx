import { BOARD_STATES, type BoardState } from '#contract/assessments/targets/board-states.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { STATE_LOOKS, STATE_NAMES } from './target-status.ts'

type Props = {
  counts: Readonly<Record<BoardState, number>>
  chosen: BoardState | undefined
  onChoose: (state: BoardState | undefined) => void
}

/** How many targets are in which state. Each is a filter; choosing it again shows all. */
export function StateStrip({ counts, chosen, onChoose }: Props) {
  return (
    <fieldset className="fc-state-strip" aria-label="Targets by status">
      {BOARD_STATES.map((state) => (
        <button
          key={state}
          type="button"
          aria-pressed={chosen === state}
          data-none={counts[state] === 0 || undefined}
          onClick={() => onChoose(chosen === state ? undefined : state)}
        >
          <Status {...STATE_LOOKS[state]}>
            <b>{counts[state].toLocaleString()}</b>
          </Status>
          <span>{STATE_NAMES[state]}</span>
        </button>
      ))}
    </fieldset>
  )
}
