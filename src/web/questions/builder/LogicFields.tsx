import { Textarea } from '@mantine/core'
import type { Question } from '#contract/questions/definition.ts'
import { groupNameOf } from '#contract/questions/one-of.ts'
import { ruleVariables } from '#contract/questions/rule-names.ts'
import { textIn } from '#contract/questions/texts.ts'
import { groupOwner } from './alternatives.ts'
import { changeQuestion } from './content-changes.ts'
import type { FieldsProps } from './use-builder.ts'
import { RuleField } from './RuleField.tsx'
import { withText } from './with-text.ts'

/** When the question is asked, when it needs an answer, and what the answer must be. */
export function LogicFields({ builder, question }: FieldsProps) {
  const { content, language, edit } = builder
  const { code, type } = question
  const put = (changed: Question, what: string) =>
    edit(changeQuestion(content, changed), `${what} of ${code}`)
  const all = ruleVariables(content.draft)
  const others = Object.fromEntries(Object.entries(all).filter(([name]) => name !== code))
  const isAsked = type !== 'note' && type !== 'computed'
  const isInGroup = groupNameOf(question) !== null
  const message = (kind: 'check' | 'required', label: string, owner = question) => (
    <Textarea
      label={label}
      autosize
      minRows={1}
      maxLength={500}
      value={textIn(owner.messages?.[kind], language, [])}
      onChange={({ currentTarget: { value } }) => {
        const texts = withText(owner.messages?.[kind], language, value)
        const { [kind]: _former, ...rest } = owner.messages ?? {}
        const messages = Object.keys(texts).length === 0 ? rest : { ...rest, [kind]: texts }
        put(
          { ...owner, messages: Object.keys(messages).length === 0 ? undefined : messages },
          `${kind} message`,
        )
      }}
    />
  )
  return (
    <>
      <RuleField
        label="Shown if"
        without="Always shown"
        rule={question.visibleIf}
        variables={others}
        onChange={(visibleIf) => put({ ...question, visibleIf }, 'rule')}
      />
      {isAsked && question.isHidden !== true && (
        <>
          {question.obligation === undefined && !isInGroup && (
            <RuleField
              label="Required if"
              without="Never required"
              rule={question.requiredIf}
              variables={others}
              onChange={(requiredIf) => put({ ...question, requiredIf }, 'required if')}
            />
          )}
          <RuleField
            label="The answer is valid if"
            without="Every answer is valid"
            rule={question.check}
            variables={all}
            onChange={(check) => put({ ...question, check }, 'check')}
          />
          {question.check !== undefined && message('check', 'Message if it is not valid')}
          {isInGroup
            ? message(
                'required',
                'Message if none of the alternatives is answered',
                groupOwner(content, question),
              )
            : message('required', 'Message if it is missing')}
        </>
      )}
      {type === 'computed' && (
        <Textarea
          label="Formula"
          description="For example: mileage / 1000"
          autosize
          minRows={1}
          spellCheck={false}
          value={question.calculate}
          onChange={({ currentTarget: { value } }) => put({ ...question, calculate: value }, 'formula')}
        />
      )}
    </>
  )
}
