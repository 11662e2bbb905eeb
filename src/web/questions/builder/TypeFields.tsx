import { Checkbox, MultiSelect, Select, Textarea, TextInput } from '@mantine/core'
import {
  CONSENT_CHANNELS,
  CONSENT_PURPOSES,
  COUNTRIES,
  type Question,
  type QuestionOf,
} from '#contract/questions/definition.ts'
import { MAX_DECIMALS, MAX_LINE, MAX_LONG_TEXT, MAX_RATING } from '#contract/questions/limits.ts'
import { textIn } from '#contract/questions/texts.ts'
import { NumberField } from '#web/ui/form/NumberField.tsx'
import { ChoiceLines } from './ChoiceLines.tsx'
import { MatrixFields, TableFields } from './GridFields.tsx'
import { withText } from './with-text.ts'

type Props<Of extends Question = Question> = {
  question: Of
  language: string
  /** `what`: the changed field, for undo. */
  onChange: (question: Question, what: string) => void
}

/** The fields that only some types have. */
export function TypeFields({ question, language, onChange }: Props) {
  switch (question.type) {
    case 'text':
    case 'longText':
      return <LengthFields {...{ question, language, onChange }} />
    case 'phone':
    case 'postalCode':
      return <CountryField {...{ question, language, onChange }} />
    case 'number':
      return <NumberFields {...{ question, language, onChange }} />
    case 'date':
      return <DateFields {...{ question, language, onChange }} />
    case 'single':
    case 'multiple':
      return <ChoiceFields {...{ question, language, onChange }} />
    case 'matrix':
      return <MatrixFields {...{ question, language, onChange }} />
    case 'table':
      return <TableFields {...{ question, language, onChange }} />
    case 'computed':
      return <ComputedFields {...{ question, language, onChange }} />
    case 'rating':
      return <RatingFields {...{ question, language, onChange }} />
    case 'note':
      return (
        <Textarea
          label="Text"
          autosize
          minRows={3}
          value={textIn(question.text, language, [])}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...question, text: withText(question.text, language, value) }, 'text')
          }
        />
      )
    case 'consent':
      return <ConsentFields {...{ question, language, onChange }} />
    default:
      return null
  }
}

/** A number that was typed, or undefined for none. */
const whole = (value: number | string): number | undefined => (typeof value === 'number' ? value : undefined)

function LengthFields({ question, onChange }: Props<QuestionOf<'text'> | QuestionOf<'longText'>>) {
  const most = question.type === 'text' ? MAX_LINE : MAX_LONG_TEXT
  return (
    <div className="fc-pair">
      <NumberField
        rememberAs={`${question.code} Minimum characters`}
        label="Minimum characters"
        min={0}
        max={most}
        value={question.minLength ?? ''}
        onChange={(value) => onChange({ ...question, minLength: whole(value) }, 'least')}
      />
      <NumberField
        rememberAs={`${question.code} Maximum characters`}
        label="Maximum characters"
        min={1}
        max={most}
        value={question.maxLength ?? ''}
        onChange={(value) => onChange({ ...question, maxLength: whole(value) }, 'most')}
      />
    </div>
  )
}

function CountryField({ question, onChange }: Props<QuestionOf<'phone'> | QuestionOf<'postalCode'>>) {
  return (
    <Select
      label="Country"
      description="For entries without a country code. If blank, the country of the dealership is used."
      data={COUNTRIES}
      value={question.country ?? null}
      clearable
      onChange={(value) =>
        onChange({ ...question, country: COUNTRIES.find((country) => country === value) }, 'country')
      }
    />
  )
}

function NumberFields({ question, onChange }: Props<QuestionOf<'number'>>) {
  const read = (value: number | string) => (value === '' ? undefined : String(value))
  return (
    <>
      <div className="fc-pair">
        <NumberField
          rememberAs={`${question.code} Minimum`}
          label="Minimum"
          decimals={MAX_DECIMALS}
          value={question.min ?? ''}
          onChange={(value) => onChange({ ...question, min: read(value) }, 'smallest')}
        />
        <NumberField
          rememberAs={`${question.code} Maximum`}
          label="Maximum"
          decimals={MAX_DECIMALS}
          value={question.max ?? ''}
          onChange={(value) => onChange({ ...question, max: read(value) }, 'largest')}
        />
      </div>
      <div className="fc-pair">
        <NumberField
          rememberAs={`${question.code} Decimals`}
          label="Decimals"
          min={0}
          max={MAX_DECIMALS}
          value={question.decimals ?? ''}
          onChange={(value) => onChange({ ...question, decimals: whole(value) }, 'decimals')}
        />
        <TextInput
          label="Unit"
          maxLength={30}
          value={question.unit ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...question, unit: value === '' ? undefined : value }, 'unit')
          }
        />
      </div>
    </>
  )
}

function DateFields({ question, onChange }: Props<QuestionOf<'date'>>) {
  const day = (value: string) => (value === '' ? undefined : value)
  return (
    <div className="fc-pair">
      <TextInput
        type="date"
        label="Earliest"
        value={question.earliest ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...question, earliest: day(value) }, 'earliest')
        }
      />
      <TextInput
        type="date"
        label="Latest"
        value={question.latest ?? ''}
        onChange={({ currentTarget: { value } }) => onChange({ ...question, latest: day(value) }, 'latest')}
      />
    </div>
  )
}

function ChoiceFields({
  question,
  language,
  onChange,
}: Props<QuestionOf<'single'> | QuestionOf<'multiple'>>) {
  const { choices } = question
  return (
    <>
      <ChoiceLines
        label="Choices"
        choices={choices}
        language={language}
        onChange={(next) => onChange({ ...question, choices: next }, 'choices')}
      />
      <Checkbox
        size="sm"
        label="Allow another answer"
        checked={question.allowOther === true}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ ...question, allowOther: checked ? true : undefined }, 'other')
        }
      />
      {question.type === 'multiple' && (
        <div className="fc-pair">
          <NumberField
            rememberAs={`${question.code} Minimum choices`}
            label="Minimum choices"
            min={0}
            value={question.minChoices ?? ''}
            onChange={(value) => onChange({ ...question, minChoices: whole(value) }, 'least')}
          />
          <NumberField
            rememberAs={`${question.code} Maximum choices`}
            label="Maximum choices"
            min={1}
            value={question.maxChoices ?? ''}
            onChange={(value) => onChange({ ...question, maxChoices: whole(value) }, 'most')}
          />
        </div>
      )}
    </>
  )
}

function RatingFields({ question, language, onChange }: Props<QuestionOf<'rating'>>) {
  return (
    <>
      <NumberField
        rememberAs={`${question.code} From 1 to`}
        label="From 1 to"
        min={2}
        max={MAX_RATING}
        value={question.max}
        onChange={(value) => typeof value === 'number' && onChange({ ...question, max: value }, 'max')}
      />
      <div className="fc-pair">
        <TextInput
          label="Words for 1"
          maxLength={500}
          value={textIn(question.lowest, language, [])}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...question, lowest: withText(question.lowest, language, value) }, 'lowest')
          }
        />
        <TextInput
          label={`Words for ${question.max}`}
          maxLength={500}
          value={textIn(question.highest, language, [])}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...question, highest: withText(question.highest, language, value) }, 'highest')
          }
        />
      </div>
    </>
  )
}

const RESULTS = [
  { value: 'number', label: 'A number' },
  { value: 'text', label: 'Text' },
  { value: 'boolean', label: 'Yes or no' },
] as const satisfies readonly { value: QuestionOf<'computed'>['result']; label: string }[]

function ComputedFields({ question, onChange }: Props<QuestionOf<'computed'>>) {
  return (
    <>
      <Select
        label="Result"
        data={RESULTS}
        value={question.result}
        allowDeselect={false}
        onChange={(value) => {
          const result = RESULTS.find((one) => one.value === value)?.value
          if (result !== undefined) onChange({ ...question, result }, 'result')
        }}
      />
      {question.result === 'number' && (
        <div className="fc-pair">
          <NumberField
            rememberAs={`${question.code} Decimals`}
            label="Decimals"
            min={0}
            max={MAX_DECIMALS}
            value={question.decimals ?? ''}
            onChange={(value) => onChange({ ...question, decimals: whole(value) }, 'decimals')}
          />
          <TextInput
            label="Unit"
            maxLength={30}
            value={question.unit ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...question, unit: value === '' ? undefined : value }, 'unit')
            }
          />
        </div>
      )}
    </>
  )
}

const PURPOSES = [
  { value: 'inquiry', label: 'To answer this inquiry' },
  { value: 'marketing', label: 'Marketing' },
  { value: 'privacy', label: 'Privacy notice' },
] as const satisfies readonly { value: (typeof CONSENT_PURPOSES)[number]; label: string }[]
const CHANNELS = [
  { value: 'email', label: 'Email' },
  { value: 'call', label: 'Calls' },
  { value: 'text', label: 'Text messages' },
] as const satisfies readonly { value: (typeof CONSENT_CHANNELS)[number]; label: string }[]

function ConsentFields({ question, language, onChange }: Props<QuestionOf<'consent'>>) {
  return (
    <>
      <Textarea
        label="Consent text"
        description={`{seller} is replaced with the name of the dealership. Text version ${question.version}: a change after publishing raises it.`}
        autosize
        minRows={3}
        value={textIn(question.text, language, [])}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...question, text: withText(question.text, language, value) }, 'text')
        }
      />
      <Select
        label="Purpose"
        data={PURPOSES}
        value={question.purpose}
        allowDeselect={false}
        onChange={(value) => {
          const purpose = CONSENT_PURPOSES.find((one) => one === value)
          if (purpose !== undefined) onChange({ ...question, purpose }, 'purpose')
        }}
      />
      <MultiSelect
        label="Channels"
        description="How the sender agrees to be contacted."
        data={CHANNELS}
        value={question.channels}
        onChange={(values) =>
          onChange(
            { ...question, channels: CONSENT_CHANNELS.filter((channel) => values.includes(channel)) },
            'channels',
          )
        }
      />
    </>
  )
}
