import { Status } from '#web/ui/controls/Status.tsx'
import { RECEIVED, type Received } from './received.ts'

/** In a cell, where the word is left out. */
export function ReceivedMark({ received, words }: { received: Received; words: string }) {
  const { tone, mark } = RECEIVED[received]
  return (
    <span className="fc-matrix-mark" title={words}>
      <Status tone={tone} mark={mark}>
        <span className="fc-hidden">{words}</span>
      </Status>
    </span>
  )
}

/** In a cell to which no factor leads. */
export function GapMark({ words }: { words: string }) {
  return (
    <span className="fc-matrix-mark" title={words}>
      <Status tone="warn" mark="cross">
        <span className="fc-hidden">{words}</span>
      </Status>
    </span>
  )
}

/** What the marks of the cells mean. */
export function ReceivedLegend({ hasGaps }: { hasGaps: boolean }) {
  return (
    <ul className="fc-matrix-legend" aria-label="Marks">
      {Object.values(RECEIVED).map(({ word, tone, mark }) => (
        <li key={word}>
          <Status tone={tone} mark={mark}>
            {word}
          </Status>
        </li>
      ))}
      {hasGaps && (
        <li>
          <Status tone="warn" mark="cross">
            no factor
          </Status>
        </li>
      )}
    </ul>
  )
}
