import { TextInput } from '@mantine/core'
import { MAX_LINE } from '#contract/questions/limits.ts'
import { partsOf, textOf } from './draft-answers.ts'
import { type FieldProps, ownProblem } from './field-props.ts'
import { QuestionGroup } from './QuestionGroup.tsx'

type Part = Readonly<{
  name: 'street' | 'city' | 'region' | 'postalCode' | 'country' | 'name' | 'role' | 'email' | 'phone'
  autoComplete: string
  type?: 'email' | 'tel'
  isWide?: true
}>

const ADDRESS: readonly Part[] = [
  { name: 'street', autoComplete: 'street-address', isWide: true },
  { name: 'city', autoComplete: 'address-level2' },
  { name: 'region', autoComplete: 'address-level1' },
  { name: 'postalCode', autoComplete: 'postal-code' },
  { name: 'country', autoComplete: 'country' },
]
const PERSON: readonly Part[] = [
  { name: 'name', autoComplete: 'name' },
  { name: 'role', autoComplete: 'organization-title' },
  { name: 'email', autoComplete: 'email', type: 'email' },
  { name: 'phone', autoComplete: 'tel', type: 'tel' },
]

/** The parts of an address or of a person. */
export function PartsField(props: FieldProps<'address' | 'person'>) {
  const { question, draft, onChange, onLeave, problems, context } = props
  const values = partsOf(draft)
  const whole = ownProblem(problems)
  return (
    <QuestionGroup {...props} {...(whole !== undefined && { error: whole })}>
      <div className="fc-question-parts">
        {(question.type === 'address' ? ADDRESS : PERSON).map(({ name, isWide, ...input }) => (
          <TextInput
            key={name}
            {...input}
            label={context.text(name)}
            error={problems.find(({ column }) => column === name)?.message}
            maxLength={MAX_LINE}
            value={textOf(values[name])}
            onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
            onBlur={onLeave}
            {...(isWide && { className: 'fc-question-wide' })}
          />
        ))}
      </div>
    </QuestionGroup>
  )
}
