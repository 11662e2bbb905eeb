import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { Definition } from '#contract/questions/definition.ts'
import { textIn } from '#contract/questions/texts.ts'
import type { Builder } from '#web/questions/builder/use-builder.ts'
import { withText } from '#web/questions/builder/with-text.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'

type Edition = NonNullable<Definition['editions']>[number]

/** The editions that an assessment chooses from. Questions can be required in some of them only. */
export function EditionsSection({ builder }: { builder: Builder }) {
  const { content, edit, language, isReadOnly } = builder
  const { editions = [], languages, sections } = content.draft
  const put = (next: readonly Edition[]) => {
    const { editions: _, ...draft } = content.draft
    edit({ ...content, draft: next.length === 0 ? draft : { ...draft, editions: [...next] } }, 'editions')
  }
  const isUsed = (code: string) =>
    sections.some(({ questions }) =>
      questions.some(({ obligations }) => obligations?.some(({ edition }) => edition === code)),
    )
  return (
    <div className="fc-form-settings">
      <FormSection
        title="Editions"
        text="For example Basic and Comprehensive. Under Logic, each question can be required in some editions or for some company sizes. An assessment chooses its edition before it opens. Editions are part of the version."
      >
        {editions.length === 0 && (
          <p className="fc-wide fc-small fc-soft">No editions. Assessments have none to choose from.</p>
        )}
        <ol className="fc-bands fc-wide">
          {editions.map((edition, at) => {
            const { code, title } = edition
            const name = textIn(title, language, languages) || code
            return (
              <li key={code} className="fc-row">
                <TextInput
                  className="fc-grow"
                  aria-label={`Name of edition ${at + 1}`}
                  value={textIn(title, language, [])}
                  maxLength={100}
                  readOnly={isReadOnly}
                  onChange={({ currentTarget: { value } }) =>
                    put(editions.with(at, { code, title: withText(title, language, value) }))
                  }
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={`Remove ${name}`}
                  title={isUsed(code) ? 'Questions use this edition.' : undefined}
                  disabled={isReadOnly || isUsed(code)}
                  onClick={() => put(editions.toSpliced(at, 1))}
                >
                  <IconTrash size={16} />
                </ActionIcon>
              </li>
            )
          })}
        </ol>
        {!isReadOnly && (
          <Button
            variant="default"
            className="fc-fit"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            onClick={() => put([...editions, blankEdition(editions, language)])}
          >
            Add edition
          </Button>
        )}
      </FormSection>
    </div>
  )
}

/** "Edition 2", with a code that isn't in use. */
function blankEdition(editions: readonly Edition[], language: string): Edition {
  const used = new Set(editions.map(({ code }) => code))
  let number = editions.length + 1
  while (used.has(`edition-${number}`)) number += 1
  return { code: `edition-${number}`, title: { [language]: `Edition ${number}` } }
}
