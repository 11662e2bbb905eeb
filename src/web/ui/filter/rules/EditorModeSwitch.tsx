import { useId } from 'react'
import type { RuleDraft } from './rule-draft.ts'

type Props = {
  face: RuleDraft['face']
  /** Why the builder can't show the rule; null if it can. */
  whyNoBuilder: string | null
  /** ID of the message that says why the rule can't be shown as text; null if it can. */
  whyNoText: string | null
  onFace: (face: RuleDraft['face']) => void
}

/** Switches between builder and text. If one can't show the rule, a line explains why. */
export function EditorModeSwitch({ face, whyNoBuilder, whyNoText, onFace }: Props) {
  const name = useId()
  const faces = [
    { value: 'builder', label: 'Builder', why: whyNoBuilder === null ? null : `${name}-why` },
    { value: 'text', label: 'Text', why: whyNoText },
  ] as const
  return (
    <div className="fc-faces">
      <fieldset aria-label="Edit as">
        {faces.map(({ value, label, why }) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              checked={face === value}
              disabled={why !== null}
              {...(why !== null && { 'aria-describedby': why })}
              onChange={() => onFace(value)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      {whyNoBuilder !== null && (
        <p id={`${name}-why`} className="fc-small fc-faint">
          <bdi>{whyNoBuilder}</bdi>
        </p>
      )}
    </div>
  )
}
