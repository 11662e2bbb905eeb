import { Group, Radio } from '@mantine/core'
import { partsOf, textOf } from './draft-answers.ts'
import { type FieldProps, ownProblem, shownText } from './field-props.ts'
import { QuestionGroup } from './QuestionGroup.tsx'

/** One choice in each row. Each row is a group of radio buttons, also on a phone. */
export function MatrixField(props: FieldProps<'matrix'>) {
  const { question, draft, onChange, onLeave, problems, context } = props
  const chosen = partsOf(draft)
  const whole = ownProblem(problems)
  return (
    <QuestionGroup {...props} {...(whole !== undefined && { error: whole })}>
      {question.rows.map(({ code, title }) => (
        <Radio.Group
          key={code}
          className="fc-question-row"
          label={shownText(title, context)}
          error={problems.find(({ column }) => column === code)?.message}
          value={textOf(chosen[code])}
          onChange={(value) => onChange({ ...chosen, [code]: value })}
          onBlur={onLeave}
        >
          <Group gap="md" mt={4}>
            {question.choices.map(({ value, title: label }) => (
              <Radio key={value} value={value} label={shownText(label, context)} />
            ))}
          </Group>
        </Radio.Group>
      ))}
    </QuestionGroup>
  )
}
