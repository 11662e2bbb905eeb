import type { ChangeEvent } from 'react'

type Props = {
  /** "Select Elm Street". */
  label: string
  isOn: boolean
  isMixed?: boolean
  /** `isRange`: with Shift, includes everything since the last one. */
  onChange: (isOn: boolean, how: { isRange: boolean }) => void
}

/** Selects a row. Its label fills the cell, so that a near miss doesn't open the row. */
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
