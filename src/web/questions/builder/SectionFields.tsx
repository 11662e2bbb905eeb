import { Button, Textarea, TextInput } from '@mantine/core'
import type { Section } from '#contract/questions/definition.ts'
import { ruleVariables } from '#contract/questions/rule-names.ts'
import { textIn } from '#contract/questions/texts.ts'
import { changeSection, moveSection } from './content-changes.ts'
import { capital } from './builder-labels.ts'
import { withText } from './with-text.ts'
import { removeChosen } from './remove-chosen.ts'
import { RuleField } from './RuleField.tsx'
import type { Builder } from './use-builder.ts'

/** The properties of a section. */
export function SectionFields({ builder, section }: { builder: Builder; section: Section }) {
  const { content, language, edit, apply, kit } = builder
  const { id } = section
  const put = (change: Partial<Section>, what: string) =>
    edit(changeSection(content, id, change), `${what} of ${id}`)
  const codes = new Set(section.questions.map(({ code }) => code))
  const others = Object.fromEntries(
    Object.entries(ruleVariables(content.draft)).filter(([name]) => !codes.has(name)),
  )
  return (
    <>
      <TextInput
        label="Title"
        data-title
        maxLength={500}
        value={textIn(section.title, language, [])}
        onChange={({ currentTarget: { value } }) =>
          put({ title: withText(section.title, language, value) }, 'title')
        }
      />
      <Textarea
        label="Text"
        description="Shown above the questions."
        autosize
        minRows={2}
        value={textIn(section.description, language, [])}
        onChange={({ currentTarget: { value } }) => {
          const description = withText(section.description, language, value)
          put({ description: Object.keys(description).length === 0 ? undefined : description }, 'description')
        }}
      />
      <RuleField
        label="Shown if"
        without="Always shown"
        rule={section.visibleIf}
        variables={others}
        onChange={(visibleIf) => put({ visibleIf }, 'rule')}
      />
      <div className="fc-row fc-step-tools">
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => apply(moveSection(content, id, -1), `${capital(kit.noun)} moved up`)}
        >
          Move up
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => apply(moveSection(content, id, 1), `${capital(kit.noun)} moved down`)}
        >
          Move down
        </Button>
        <Button
          variant="subtle"
          size="compact-sm"
          className="fc-quiet-danger"
          onClick={() => removeChosen(builder)}
        >
          Delete {kit.noun}
        </Button>
      </div>
    </>
  )
}
