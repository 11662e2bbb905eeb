import type { DefinitionChange } from '#contract/questions/changes.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { bySeverity, EFFECTS } from './change-labels.ts'
import './change-list.css'

type Props = {
  changes: readonly Pick<DefinitionChange, 'message' | 'effect'>[]
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
