import { Checkbox, Select, TextInput } from '@mantine/core'
import { LEAD_FIELDS, type LeadFields } from '#contract/marketing/forms/lead-fields.ts'
import type { Question } from '#contract/questions/definition.ts'
import { changeQuestion } from '#web/questions/builder/content-changes.ts'
import type { FieldsProps } from '#web/questions/builder/use-builder.ts'

/** Where the answer comes from and goes to: the address, and the contact details. */
export function SourceFields({ builder, question }: FieldsProps) {
  const { content, edit } = builder
  const { code, type, isHidden, prefill } = question
  const put = (changed: Question, what: string) =>
    edit(changeQuestion(content, changed), `${what} of ${code}`)
  const isFilled = type !== 'note' && type !== 'consent' && type !== 'computed'
  const [own = null] = Object.entries(content.named).find(([, answer]) => answer === code) ?? []
  return (
    <>
      {type !== 'note' && type !== 'consent' && (
        <Checkbox
          size="sm"
          label="Hidden field"
          description="Visitors don't see it. It is stored with the other answers."
          checked={isHidden === true}
          onChange={({ currentTarget: { checked } }) =>
            put(
              {
                ...question,
                isHidden: checked ? true : undefined,
                ...(checked && {
                  obligation: undefined,
                  requiredIf: undefined,
                  oneOf: undefined,
                  check: undefined,
                }),
              },
              'hidden',
            )
          }
        />
      )}
      {isFilled && (
        <TextInput
          label="Filled in from the URL"
          description={<bdi>{`The link …?${prefill ?? 'model'}=F-150 fills in "F-150".`}</bdi>}
          placeholder="model"
          maxLength={60}
          autoComplete="off"
          spellCheck={false}
          value={prefill ?? ''}
          onChange={({ currentTarget: { value } }) =>
            put({ ...question, prefill: value.trim() === '' ? undefined : value.trim() }, 'prefill')
          }
        />
      )}
      {isFilled && (
        <Select
          label="Contact detail"
          description="What this answer says about the sender."
          data={LEAD_FIELDS}
          value={own}
          clearable
          placeholder="None"
          onChange={(field) =>
            edit({ ...content, named: withLeadField(content.named, code, field) }, `lead ${code}`)
          }
        />
      )}
    </>
  )
}

/** The contact details in which a question is the given one, and no other. */
function withLeadField(fields: LeadFields, code: string, field: string | null): LeadFields {
  const rest = Object.fromEntries(Object.entries(fields).filter(([, own]) => own !== code))
  const known = LEAD_FIELDS.find(({ value }) => value === field)
  return known === undefined ? rest : { ...rest, [known.value]: code }
}
