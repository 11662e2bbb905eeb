import type { DefinitionChange } from '#contract/questions/changes.ts'
import { count } from '#web/ui/layout/date-format.ts'
import './document.css'

/** What happens to answers that exist, when an assessment moves to the newer version. */
const EFFECTS = {
  kept: 'Answers stay valid',
  review: 'Answers need review',
  unused: 'Answers are set aside',
} as const satisfies Record<DefinitionChange['effect'], string>

const RANK = { unused: 0, review: 1, kept: 2 } as const

/** Changes that concern answers first. */
const bySeverity = <C extends Pick<DefinitionChange, 'effect'>>(changes: readonly C[]): C[] =>
  changes.toSorted((one, other) => RANK[one.effect] - RANK[other.effect])

export type ShownChange = Pick<DefinitionChange, 'message' | 'effect'>

type Props = {
  changes: readonly ShownChange[]
  /** How many are shown. */
  most?: number
}

/** The changes between two versions, with what happens to the answers. */
export function ChangeList({ changes, most = 200 }: Props) {
  if (changes.length === 0) return <p className="fc-small fc-soft">Nothing changed.</p>
  return (
    <>
      <ul className="fc-version-changes">
        {bySeverity(changes)
          .slice(0, most)
          .map(({ message, effect }, at) => (
            <li key={at}>
              <bdi>{message}</bdi>{' '}
              {effect !== 'kept' && (
                <span className="fc-change-effect fc-warning-text">{EFFECTS[effect]}</span>
              )}
            </li>
          ))}
      </ul>
      {changes.length > most && (
        <p className="fc-small fc-soft">
          And {count(changes.length - most, 'other change', 'other changes')}.
        </p>
      )}
    </>
  )
}
