import { Checkbox, TextInput, Group, Radio } from '@mantine/core'
import type { QuestionType } from '#contract/questions/definition.ts'
import { MAX_LINE } from '#contract/questions/limits.ts'
import { afterPress } from './after-press.ts'
import { BooleanField, MultipleField, RatingField, SingleField } from './ChoiceFields.tsx'
import { partsOf, textOf } from './draft-answers.ts'
import { type FieldProps, ownProblem, shownText } from './field-props.ts'
import { ComputedField, ConsentField, FacilityField, FileField, NoteField } from './OtherFields.tsx'
import { PartsField } from './PartsField.tsx'
import { QuestionGroup } from './QuestionGroup.tsx'
import { TableField } from './TableField.tsx'
import { LineField, LongTextField } from './TextFields.tsx'

/** A question with its inputs, and the way out that its obligation allows: not applicable, or refused with a reason. */
export function QuestionField(given: FieldProps<QuestionType>) {
  const onLeave = () => afterPress(given.onLeave)
  const props = { ...given, onLeave }
  const { question, draft, onChange, problems, context } = props
  const { text } = context
  const parts = partsOf(draft)
  const isRefused = Object.hasOwn(parts, 'refused')
  const isNotApplicable = parts.notApplicable === true
  const { obligation } = question
  if (obligation !== 'ifApplicable' && obligation !== 'mayRefuse') return <AnswerField {...props} />
  const title = shownText(question.title, context)
  const label = text(obligation === 'mayRefuse' ? 'refuse' : 'notApplicable')
  const whole = ownProblem(problems)
  return (
    <div className="fc-question-group">
      {isRefused || isNotApplicable ? (
        <QuestionGroup {...props}>{null}</QuestionGroup>
      ) : (
        <AnswerField {...props} />
      )}
      <Checkbox
        size="xs"
        label={label}
        aria-label={`${label}: ${title}`}
        checked={isRefused || isNotApplicable}
        onChange={(event) => {
          const instead = obligation === 'mayRefuse' ? { refused: '' } : { notApplicable: true }
          onChange(event.currentTarget.checked ? instead : '')
        }}
      />
      {isRefused && (
        <TextInput
          label={text('reason')}
          withAsterisk
          maxLength={MAX_LINE}
          value={textOf(parts.refused)}
          onChange={(event) => onChange({ refused: event.currentTarget.value })}
          onBlur={onLeave}
          error={whole}
        />
      )}
    </div>
  )
}

function AnswerField(props: FieldProps<QuestionType>) {
  const { question, ...rest } = props
  switch (question.type) {
    case 'longText':
      return <LongTextField question={question} {...rest} />
    case 'boolean':
      return <BooleanField question={question} {...rest} />
    case 'single':
      return <SingleField question={question} {...rest} />
    case 'multiple':
      return <MultipleField question={question} {...rest} />
    case 'rating':
      return <RatingField question={question} {...rest} />
    case 'matrix':
      return <MatrixField question={question} {...rest} />
    case 'table':
      return <TableField question={question} {...rest} />
    case 'file':
      return <FileField question={question} {...rest} />
    case 'address':
    case 'person':
      return <PartsField question={question} {...rest} />
    case 'facility':
      return <FacilityField question={question} {...rest} />
    case 'computed':
      return <ComputedField question={question} {...rest} />
    case 'note':
      return <NoteField question={question} {...rest} />
    case 'consent':
      return <ConsentField question={question} {...rest} />
    default:
      return <LineField question={question} {...rest} />
  }
}

/** One choice in each row. Each row is a group of radio buttons, also on a phone. */
function MatrixField(props: FieldProps<'matrix'>) {
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
