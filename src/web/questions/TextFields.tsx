import { Textarea, TextInput } from '@mantine/core'
import { MAX_LINE, MAX_LONG_TEXT } from '#contract/questions/limits.ts'
import { textOf } from './draft-answers.ts'
import { type FieldProps, inputProps } from './field-props.ts'

type LineType = 'text' | 'email' | 'phone' | 'url' | 'vin' | 'postalCode' | 'number' | 'date'

type Line = Readonly<{
  type?: 'email' | 'tel' | 'url' | 'date'
  inputMode?: 'decimal' | 'numeric'
  autoComplete: string
  autoCapitalize?: 'characters'
}>

/** Keyboard and autofill of each type. URLs are plain text, because browsers refuse those without https. */
const LINES: Record<LineType, Line> = {
  text: { autoComplete: 'on' },
  email: { type: 'email', autoComplete: 'email' },
  phone: { type: 'tel', autoComplete: 'tel' },
  url: { autoComplete: 'url' },
  vin: { autoComplete: 'off', autoCapitalize: 'characters' },
  postalCode: { autoComplete: 'postal-code' },
  number: { inputMode: 'decimal', autoComplete: 'off' },
  date: { type: 'date', autoComplete: 'off' },
}

/** An answer on one line. Numbers are typed as the language writes them. */
export function LineField(props: FieldProps<LineType>) {
  const { question, draft, onChange, onLeave } = props
  const unit = question.type === 'number' ? question.unit : undefined
  const days =
    question.type === 'date' ? { min: question.earliest, max: question.latest ?? '2100-12-31' } : {}
  const most = question.type === 'text' ? (question.maxLength ?? MAX_LINE) : MAX_LINE
  return (
    <TextInput
      {...inputProps(props)}
      {...LINES[question.type]}
      {...days}
      maxLength={most}
      value={textOf(draft)}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onLeave}
      {...(unit !== undefined && {
        rightSection: <span className="fc-question-unit">{unit}</span>,
        rightSectionWidth: 'auto',
      })}
    />
  )
}

/** An answer with several lines. */
export function LongTextField(props: FieldProps<'longText'>) {
  const { question, draft, onChange, onLeave } = props
  return (
    <Textarea
      {...inputProps(props)}
      autosize
      minRows={3}
      maxRows={12}
      maxLength={question.maxLength ?? MAX_LONG_TEXT}
      value={textOf(draft)}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onLeave}
    />
  )
}
