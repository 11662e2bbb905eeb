import { ActionIcon, Button, MultiSelect, Select } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ObligationRule } from '#contract/questions/obligations.ts'
import { canBeOneOf, groupNameOf } from '#contract/questions/one-of.ts'
import { textIn } from '#contract/questions/texts.ts'
import { OBLIGATIONS, ORGANIZATION_SIZES, SIZE_CHOICES } from '#contract/questions/vocabulary.ts'
import { changeQuestion } from '#web/questions/builder/content-changes.ts'
import { LogicFields } from '#web/questions/builder/LogicFields.tsx'
import { OBLIGATION_TITLES } from '#web/questions/builder/QuestionFields.tsx'
import type { FieldsProps } from '#web/questions/builder/use-builder.ts'

const ALL = ''

/** The rules of a question, and the editions and sizes in which it must be answered. */
export function LogicAndObligations(props: FieldsProps) {
  const { question } = props
  // One of several is enough, in every edition.
  const isAsked = canBeOneOf(question) && groupNameOf(question) === null
  return (
    <>
      <LogicFields {...props} />
      {isAsked && <ObligationRules {...props} />}
    </>
  )
}

function ObligationRules({ builder, question }: FieldsProps) {
  const { content, edit } = builder
  const rules = question.obligations ?? []
  const put = (next: readonly ObligationRule[]) =>
    edit(
      changeQuestion(content, { ...question, obligations: next.length === 0 ? undefined : [...next] }),
      `exceptions of ${question.code}`,
    )
  const { languages, editions = [] } = content.draft
  const choices = [
    { value: ALL, label: 'Every edition' },
    ...editions.map(({ code, title }) => ({
      value: code,
      label: textIn(title, languages[0] ?? 'en', languages) || code,
    })),
  ]
  return (
    <fieldset className="fc-obligations">
      <legend>By edition and company size</legend>
      <p className="fc-small fc-soft">
        The first line that applies counts. Otherwise, the question is as set under Content.
      </p>
      {rules.map((rule, at) => (
        <div key={at} className="fc-obligation">
          {editions.length > 0 && (
            <Select
              aria-label={`Edition of exception ${at + 1}`}
              data={choices}
              value={rule.edition ?? ALL}
              allowDeselect={false}
              onChange={(value) => {
                const { edition: _, ...rest } = rule
                put(rules.with(at, value === null || value === ALL ? rest : { ...rest, edition: value }))
              }}
            />
          )}
          <MultiSelect
            aria-label={`Sizes of exception ${at + 1}`}
            placeholder={rule.sizes === undefined ? 'Every size' : ''}
            data={[...SIZE_CHOICES]}
            value={rule.sizes ?? []}
            onChange={(values) => {
              const sizes = ORGANIZATION_SIZES.filter((size) => values.includes(size))
              const { sizes: _, ...rest } = rule
              put(rules.with(at, sizes.length === 0 ? rest : { ...rest, sizes }))
            }}
          />
          <div className="fc-row">
            <Select
              className="fc-grow"
              aria-label={`Answer of exception ${at + 1}`}
              data={OBLIGATION_TITLES}
              value={rule.obligation}
              allowDeselect={false}
              onChange={(value) => {
                const obligation = OBLIGATIONS.find((one) => one === value)
                if (obligation !== undefined) put(rules.with(at, { ...rule, obligation }))
              }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              size={36}
              aria-label={`Remove exception ${at + 1}`}
              onClick={() => put(rules.toSpliced(at, 1))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </div>
        </div>
      ))}
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} aria-hidden="true" />}
        onClick={() => put([...rules, { ...FIRST, ...(editions[0] && { edition: editions[0].code }) }])}
      >
        Add an exception
      </Button>
    </fieldset>
  )
}

const FIRST: ObligationRule = { obligation: 'required' }
