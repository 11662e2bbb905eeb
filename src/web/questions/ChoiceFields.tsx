import { Checkbox, Group, Radio, Select, Stack, TextInput } from '@mantine/core'
import type { QuestionOf } from '#contract/questions/definition.ts'
import { OTHER } from '#contract/questions/rule-names.ts'
import { partsOf, textOf } from './draft-answers.ts'
import { type FieldContext, type FieldProps, groupProps, inputProps, shownText } from './field-props.ts'

/** More choices are a list that opens and can be searched. */
const MAX_RADIOS = 8

/** Yes or no. */
export function BooleanField(props: FieldProps<'boolean'>) {
  const { draft, onChange, onLeave, context } = props
  const value = typeof draft === 'boolean' ? String(draft) : null
  return (
    <Radio.Group
      {...groupProps(props)}
      value={value}
      onChange={(chosen) => onChange(chosen === 'true')}
      onBlur={onLeave}
    >
      <Group gap="lg" mt={4}>
        <Radio value="true" label={context.text('yes')} />
        <Radio value="false" label={context.text('no')} />
      </Group>
    </Radio.Group>
  )
}

/** One of the choices, or an answer that isn't listed. */
export function SingleField(props: FieldProps<'single'>) {
  const { question, draft, onChange, onLeave, context } = props
  const options = optionsOf(question, context)
  const isOther = Object.hasOwn(partsOf(draft), OTHER)
  const value = isOther ? OTHER : textOf(draft)
  const choose = (chosen: string | null) =>
    onChange(chosen === OTHER && question.allowOther === true ? { other: '' } : (chosen ?? ''))
  const isList = options.length > MAX_RADIOS
  return (
    <Stack gap={8}>
      {isList ? (
        <Select
          {...inputProps(props)}
          data={options}
          value={value === '' ? null : value}
          onChange={choose}
          onBlur={onLeave}
          placeholder={context.text('choose')}
          searchable
          clearable
        />
      ) : (
        <Radio.Group {...groupProps(props)} value={value} onChange={choose} onBlur={onLeave}>
          <Stack gap={8} mt={4}>
            {options.map((option) => (
              <Radio key={option.value} {...option} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {isOther && (
        <OtherText
          value={textOf(partsOf(draft)[OTHER])}
          onChange={(other) => onChange({ other })}
          onLeave={onLeave}
          context={context}
        />
      )}
    </Stack>
  )
}

/** Any number of the choices. */
export function MultipleField(props: FieldProps<'multiple'>) {
  const { question, draft, onChange, onLeave, context } = props
  const chosen: readonly unknown[] = Array.isArray(draft) ? draft : []
  const other = chosen.find((one) => Object.hasOwn(partsOf(one), OTHER))
  const isOther = (one: string) => one === OTHER && question.allowOther === true
  return (
    <Stack gap={8}>
      <Checkbox.Group
        {...groupProps(props)}
        value={chosen.map((one) => (typeof one === 'string' ? one : OTHER))}
        onChange={(values) => onChange(values.map((one) => (isOther(one) ? (other ?? { other: '' }) : one)))}
        onBlur={onLeave}
      >
        <Stack gap={8} mt={4}>
          {optionsOf(question, context).map((option) => (
            <Checkbox key={option.value} {...option} />
          ))}
        </Stack>
      </Checkbox.Group>
      {other !== undefined && (
        <OtherText
          value={textOf(partsOf(other)[OTHER])}
          onChange={(text) => onChange(chosen.map((one) => (one === other ? { other: text } : one)))}
          onLeave={onLeave}
          context={context}
        />
      )}
    </Stack>
  )
}

/** A number from 1 to the maximum. */
export function RatingField(props: FieldProps<'rating'>) {
  const { question, draft, onChange, onLeave, context } = props
  const [lowest, highest] = [shownText(question.lowest, context), shownText(question.highest, context)]
  return (
    <Radio.Group
      {...groupProps(props)}
      value={textOf(draft)}
      onChange={(value) => onChange(Number(value))}
      onBlur={onLeave}
    >
      <Group gap="md" mt={4}>
        {lowest !== '' && <span className="fc-small fc-soft">{lowest}</span>}
        {Array.from({ length: question.max }, (_, at) => (
          <Radio key={at} value={String(at + 1)} label={String(at + 1)} />
        ))}
        {highest !== '' && <span className="fc-small fc-soft">{highest}</span>}
      </Group>
    </Radio.Group>
  )
}

type OtherTextProps = {
  value: string
  onChange: (value: string) => void
  onLeave: () => void
  context: FieldContext
}

function OtherText({ value, onChange, onLeave, context }: OtherTextProps) {
  return (
    <TextInput
      aria-label={context.text('otherText')}
      placeholder={context.text('otherText')}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onBlur={onLeave}
    />
  )
}

function optionsOf(question: QuestionOf<'single' | 'multiple'>, context: FieldContext) {
  const listed = question.choices.map(({ value, title }) => ({ value, label: shownText(title, context) }))
  return question.allowOther === true ? [...listed, { value: OTHER, label: context.text('other') }] : listed
}
