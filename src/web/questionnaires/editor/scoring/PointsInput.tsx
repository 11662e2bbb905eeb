import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

const POINTS = /^\d{1,6}(\.\d{1,4})?$/
const LIMIT = /^-?\d{1,15}(\.\d{1,10})?$/

type Props = Pick<TextInputProps, 'label' | 'aria-label' | 'description' | 'placeholder' | 'className'> & {
  value: string
  /** May be negative, like the limit of a range. */
  isLimit?: boolean
  /** An empty input is passed on as ''. */
  isOptional?: boolean
  isReadOnly?: boolean
  onChange: (value: string) => void
}

/** A number as plain digits. Anything else stays in the input with an error, and isn't passed on. */
export function PointsInput({
  value,
  isLimit = false,
  isOptional = false,
  isReadOnly,
  onChange,
  ...input
}: Props) {
  // Null while the input shows what is stored.
  const [typed, setTyped] = useState<string | null>(null)
  const isFine = (text: string) => (isLimit ? LIMIT : POINTS).test(text) || (isOptional && text === '')
  return (
    <TextInput
      {...input}
      inputMode="decimal"
      autoComplete="off"
      maxLength={27}
      readOnly={isReadOnly === true}
      value={typed ?? value}
      error={typed !== null && !isFine(typed) ? 'Enter a number, like 3 or 0.5.' : undefined}
      onChange={({ currentTarget: { value: text } }) => {
        setTyped(text)
        if (isFine(text)) onChange(text)
      }}
      onBlur={() => {
        if (typed !== null && isFine(typed)) setTyped(null)
      }}
    />
  )
}
