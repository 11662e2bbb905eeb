import type { ChangeEvent } from 'react'

type Props = {
  /** "Choose Elm Street". */
  label: string
  isOn: boolean
  isMixed?: boolean
  /** `isRange`: with Shift, everything since the last one, too. */
  onChange: (isOn: boolean, how: { isRange: boolean }) => void
}

/** Chooses a row. Its label fills the cell, so that nobody opens a row by missing the box. */
export function RowCheck({ label, isOn, isMixed = false, onChange }: Props) {
  function change({ currentTarget, nativeEvent }: ChangeEvent<HTMLInputElement>) {
    onChange(currentTarget.checked, { isRange: nativeEvent instanceof MouseEvent && nativeEvent.shiftKey })
  }
  return (
    <label className="fc-check">
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        ref={(input) => {
          if (input) input.indeterminate = isMixed
        }}
        onChange={change}
      />
    </label>
  )
}
