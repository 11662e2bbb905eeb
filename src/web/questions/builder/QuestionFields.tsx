import { Checkbox, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { OBLIGATIONS, type Question } from '#contract/questions/definition.ts'
import { canBeOneOf, groupNameOf } from '#contract/questions/one-of.ts'
import { textIn } from '#contract/questions/texts.ts'
import { AlternativesField } from './AlternativesField.tsx'
import { changeQuestion, changeType, codeFault, renameCode, usesOf } from './content-changes.ts'
import { readType, titleOfType } from './question-types.ts'
import { TypeFields } from './TypeFields.tsx'
import type { FieldsProps } from './use-builder.ts'
import { withText } from './with-text.ts'

/** What readers see: type, title, help, and what the type adds. */
export function QuestionFields({ builder, question }: FieldsProps) {
  const { content, language, edit } = builder
  const { code, type } = question
  const put = (changed: Question, what: string) =>
    edit(changeQuestion(content, changed), `${what} of ${code}`)
  const isAnswered = type !== 'note' && type !== 'computed'
  const isInGroup = groupNameOf(question) !== null
  const { types, hasObligations } = builder.kit
  const isSupported = types.some(({ value }) => value === type)
  return (
    <>
      <Textarea
        label={type === 'consent' ? 'Title' : 'Question'}
        data-title
        autosize
        minRows={1}
        maxRows={6}
        maxLength={500}
        value={textIn(question.title, language, [])}
        onChange={({ currentTarget: { value } }) =>
          put({ ...question, title: withText(question.title, language, value) }, 'title')
        }
      />
      <Select
        label="Type"
        data={isSupported ? types : [...types, { value: type, label: titleOfType(type) }]}
        value={type}
        allowDeselect={false}
        onChange={(name) => {
          const next = readType(name)
          if (next !== null && next !== type) {
            builder.apply(
              { content: changeType(content, question, next), chosen: builder.chosen },
              `Type changed to ${titleOfType(next)}`,
            )
          }
        }}
      />
      {type !== 'note' && (
        <Textarea
          label="Help"
          description="Shown below the question."
          autosize
          minRows={1}
          maxRows={6}
          value={textIn(question.help, language, [])}
          onChange={({ currentTarget: { value } }) => {
            const help = withText(question.help, language, value)
            put({ ...question, help: Object.keys(help).length === 0 ? undefined : help }, 'help')
          }}
        />
      )}
      {isAnswered && question.isHidden !== true && !isInGroup && hasObligations && type !== 'consent' && (
        <ObligationField question={question} onChange={put} />
      )}
      {isAnswered && question.isHidden !== true && !isInGroup && (!hasObligations || type === 'consent') && (
        <Checkbox
          size="sm"
          label="Required"
          checked={question.obligation === 'required'}
          onChange={({ currentTarget: { checked } }) =>
            put({ ...question, obligation: checked ? 'required' : undefined }, 'required')
          }
        />
      )}
      {canBeOneOf(question) && <AlternativesField builder={builder} question={question} />}
      <TypeFields question={question} language={language} onChange={put} />
      <CodeField key={code} builder={builder} question={question} />
    </>
  )
}

/** What a question asks of participants, as choices. */
export const OBLIGATION_TITLES = [
  { value: 'voluntary', label: 'Voluntary' },
  { value: 'required', label: 'Required' },
  { value: 'ifApplicable', label: 'Required, or “not applicable”' },
  { value: 'mayRefuse', label: 'Required, or declined with a reason' },
] as const satisfies readonly { value: (typeof OBLIGATIONS)[number]; label: string }[]

function ObligationField({
  question,
  onChange,
}: {
  question: Question
  onChange: (question: Question, what: string) => void
}) {
  return (
    <Select
      label="Answer"
      data={OBLIGATION_TITLES}
      value={question.obligation ?? 'voluntary'}
      allowDeselect={false}
      onChange={(value) => {
        const obligation = OBLIGATIONS.find((one) => one === value && one !== 'voluntary')
        onChange(
          { ...question, obligation, ...(obligation !== undefined && { requiredIf: undefined }) },
          'answer',
        )
      }}
    />
  )
}

/** The code, which rules, exports and contact details use. It is renamed there as well, when the field is left. */
function CodeField({ builder, question: { code } }: FieldsProps) {
  const { content, apply } = builder
  const [text, setText] = useState(code)
  const fault = codeFault(content, code, text.trim())
  const uses = usesOf(content, code)
  const commit = () => {
    const wanted = text.trim()
    if (wanted === code || fault !== null) return
    apply(renameCode(content, code, wanted), `Code changed to ${wanted}`)
  }
  return (
    <TextInput
      label="Code"
      description={
        <bdi>
          {uses.length === 0
            ? 'The name of the answer in rules and exports.'
            : `Used by ${uses.join(', ')}. Rules are changed with it.`}
        </bdi>
      }
      error={fault}
      value={text}
      maxLength={60}
      autoComplete="off"
      spellCheck={false}
      onChange={({ currentTarget: { value } }) => setText(value)}
      data-commits
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        commit()
      }}
    />
  )
}
