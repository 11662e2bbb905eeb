import { Checkbox, TextInput } from '@mantine/core'
import { changeQuestion } from '#web/questions/builder/content-changes.ts'
import type { FieldsProps } from '#web/questions/builder/use-builder.ts'

/** Where the answer is used besides this questionnaire. */
export function DataFields({ builder, question }: FieldsProps) {
  const { content, edit } = builder
  const { code, type, conceptId, isHidden } = question
  return (
    <>
      {type !== 'note' && type !== 'computed' && (
        <TextInput
          label="Concept"
          description="Questions with the same concept ask for the same thing. An answer is then offered in the other questionnaires of the same period."
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
          value={conceptId ?? ''}
          onChange={({ currentTarget: { value } }) =>
            edit(
              changeQuestion(content, { ...question, conceptId: value === '' ? undefined : value }),
              `concept of ${code}`,
            )
          }
        />
      )}
      {type === 'computed' && (
        <Checkbox
          size="sm"
          label="Hide from participants"
          checked={isHidden === true}
          onChange={({ currentTarget: { checked } }) =>
            edit(
              changeQuestion(content, { ...question, isHidden: checked ? true : undefined }),
              `hidden of ${code}`,
            )
          }
        />
      )}
      {type === 'note' && <p className="fc-small fc-soft">This text isn't answered.</p>}
    </>
  )
}
