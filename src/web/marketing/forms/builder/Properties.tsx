import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import type { Question } from '#contract/questions/definition.ts'
import { textIn } from '#contract/questions/texts.ts'
import { Toggle } from '#web/ui/controls/Toggle.tsx'
import { moveQuestionTo, placeOf } from './form-builder.ts'
import { LogicFields } from './LogicFields.tsx'
import { QuestionFields } from './QuestionFields.tsx'
import { titleOfType } from './question-types.ts'
import { SectionFields } from './SectionFields.tsx'
import { SourceFields } from './SourceFields.tsx'
import type { Builder } from './use-builder.ts'

const PARTS = { content: 'Content', logic: 'Logic', source: 'Data' } as const

/** The properties of the chosen question or step. */
export function Properties({ builder }: { builder: Builder }) {
  const { content, chosen } = builder
  const [part, setPart] = useState<keyof typeof PARTS>('content')
  const place = chosen.question === null ? null : placeOf(content, chosen.question)
  const section = content.draft.sections.find(({ id }) => id === chosen.section)
  if (place !== null) {
    const { question } = place
    const number = `${place.section + 1}.${place.at + 1}`
    return (
      <aside className="fc-properties" aria-label="Properties">
        <div className="fc-properties-head">
          <div className="fc-grow">
            <h2>Question {number}</h2>
            <p className="fc-small fc-faint">
              <bdi>{`${titleOfType(question.type)}, code ${question.code}`}</bdi>
            </p>
          </div>
          {!builder.isReadOnly && <MoveTo builder={builder} question={question} />}
        </div>
        <Languages builder={builder} />
        <Toggle label="Properties of the question" choices={PARTS} value={part} onChange={setPart} />
        <fieldset className="fc-properties-fields" disabled={builder.isReadOnly} key={question.code}>
          {part === 'content' && <QuestionFields builder={builder} question={question} />}
          {part === 'logic' && <LogicFields builder={builder} question={question} />}
          {part === 'source' && <SourceFields builder={builder} question={question} />}
        </fieldset>
      </aside>
    )
  }
  return (
    <aside className="fc-properties" aria-label="Properties">
      {section === undefined ? (
        <p className="fc-small fc-faint">Add a question to see its properties.</p>
      ) : (
        <>
          <div className="fc-properties-head">
            <h2>Step {content.draft.sections.indexOf(section) + 1}</h2>
          </div>
          <Languages builder={builder} />
          <fieldset className="fc-properties-fields" disabled={builder.isReadOnly} key={section.id}>
            <SectionFields builder={builder} section={section} />
          </fieldset>
        </>
      )}
    </aside>
  )
}

/** Which language's texts are edited, if there are several. */
function Languages({ builder: { content, language, setLanguage } }: { builder: Builder }) {
  const { languages } = content.draft
  if (languages.length < 2) return null
  return (
    <Toggle
      label="Language of the texts"
      choices={Object.fromEntries(languages.map((tag) => [tag, tag]))}
      value={language}
      onChange={setLanguage}
    />
  )
}

/** Moves the question to a chosen place, without dragging. */
function MoveTo({ builder, question }: { builder: Builder; question: Question }) {
  const { content, apply, language } = builder
  const { sections, languages } = content.draft
  const move = (section: number, at: number) =>
    apply(
      moveQuestionTo(content, question.code, { section, at }),
      `${question.code} moved to question ${at + 1} of step ${section + 1}`,
    )
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button variant="subtle" size="compact-sm">
          <bdi>Move to…</bdi>
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="fc-type-menu">
        {sections.map((section, step) => {
          const others = section.questions.filter(({ code }) => code !== question.code)
          return [
            <Menu.Label key={section.id}>
              {`${step + 1} ${textIn(section.title, language, languages) || 'Untitled step'}`}
            </Menu.Label>,
            <Menu.Item key={`${section.id} first`} onClick={() => move(step, 0)}>
              First in this step
            </Menu.Item>,
            ...others.map(({ code, title }, at) => (
              <Menu.Item key={code} onClick={() => move(step, at + 1)}>
                After <bdi>{textIn(title, language, languages) || code}</bdi>
              </Menu.Item>
            )),
          ]
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
