import { createContext, use } from 'react'
import { NumberField } from '#web/ui/form/NumberField.tsx'

type Props = {
  label?: string
  'aria-label'?: string
  description?: string
  placeholder?: string
  className?: string
  value: string
  /** May be negative, like the limit of a range. */
  isLimit?: boolean
  /** An empty input is passed on as ''. */
  isOptional?: boolean
  isReadOnly?: boolean
  onChange: (value: string) => void
}

const POINTS = { min: 0, max: 999_999, decimals: 4 }
const LIMIT = { decimals: 10 }

/** What the inputs inside belong to: the code of a question, or a band. Two of them may have an input of the same name. */
export const PointsScope = createContext('')

/** Points, a weight or a limit as plain digits. Anything else stays in the input with an error, and isn't passed on. */
export function PointsInput({
  isLimit = false,
  isOptional = false,
  isReadOnly = false,
  onChange,
  ...input
}: Props) {
  const scope = use(PointsScope)
  return (
    <NumberField
      {...input}
      rememberAs={`${scope} points ${input['aria-label'] ?? input.label}`}
      {...(isLimit ? LIMIT : POINTS)}
      required={!isOptional}
      withAsterisk={false}
      readOnly={isReadOnly}
      isText
      onChange={(value) => onChange(String(value))}
    />
  )
}
