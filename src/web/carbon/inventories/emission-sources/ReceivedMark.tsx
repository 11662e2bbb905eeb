import { Status } from '#web/ui/controls/Status.tsx'
import { RECEIVED, type Received } from './received.ts'

/** The mark in a cell; its text is a tooltip and for screen readers. */
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

/** The mark in a cell without an emission factor. */
export function GapMark({ words }: { words: string }) {
  return (
    <span className="fc-matrix-mark" title={words}>
      <Status tone="warn" mark="cross">
        <span className="fc-hidden">{words}</span>
      </Status>
    </span>
  )
}

/** The legend of the marks. */
export function ReceivedLegend({ hasGaps }: { hasGaps: boolean }) {
  return (
    <ul className="fc-matrix-legend" aria-label="Legend">
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
