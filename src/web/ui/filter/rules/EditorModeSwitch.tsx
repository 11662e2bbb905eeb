import { useId } from 'react'
import type { RuleDraft } from './rule-draft.ts'

type Props = {
  face: RuleDraft['face']
  /** Why the rule cannot be shown there, as a sentence; null where it can. */
  whyNoBuilder: string | null
  /** The id of what says why it cannot be shown as text; null where it can. */
  whyNoText: string | null
  onFace: (face: RuleDraft['face']) => void
}

/** The two faces of a rule. Where one cannot show it, a line says why. */
export function EditorModeSwitch({ face, whyNoBuilder, whyNoText, onFace }: Props) {
  const name = useId()
  const faces = [
    { value: 'builder', label: 'Builder', why: whyNoBuilder === null ? null : `${name}-why` },
    { value: 'text', label: 'Text', why: whyNoText },
  ] as const
  return (
    <div className="fc-faces">
      <fieldset aria-label="How the rule is shown">
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
