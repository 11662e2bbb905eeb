import { Button, Menu } from '@mantine/core'
import { useState } from 'react'
import type { Question, Section } from '#contract/questions/definition.ts'
import { textIn } from '#contract/questions/texts.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Toggle } from '#web/ui/controls/Toggle.tsx'
import { moveQuestionTo, placeOf } from './content-changes.ts'
import { titleOfType } from './question-types.ts'
import { SectionFields } from './SectionFields.tsx'
import { capital, untitled } from './builder-labels.ts'
import type { Builder, Problem } from './use-builder.ts'

type Props = { builder: Builder; onProblem: (problem: Problem) => void }

/** The properties of the chosen question or section, and what blocks publishing. */
export function Properties({ builder, onProblem }: Props) {
  const { content, chosen } = builder
  const place = chosen.question === null ? null : placeOf(content, chosen.question)
  const section = content.draft.sections.find(({ id }) => id === chosen.section)
  return (
    <aside className="fc-properties" aria-label="Properties">
      <div className="fc-properties-body">
        {place !== null && <QuestionProperties builder={builder} {...place} />}
        {place === null && section !== undefined && <SectionProperties builder={builder} section={section} />}
        {place === null && section === undefined && (
          <p className="fc-small fc-faint">Add a question to see its properties.</p>
        )}
      </div>
      <Blocking builder={builder} onProblem={onProblem} />
    </aside>
  )
}

type QuestionProps = { builder: Builder; section: number; at: number; question: Question }

function QuestionProperties({ builder, section, at, question }: QuestionProps) {
  const { tabs } = builder.kit
  const [chosenTab, setTab] = useState('')
  const tab = tabs.find(({ id }) => id === chosenTab) ?? tabs[0]
  return (
    <>
      <div className="fc-properties-head">
        <div className="fc-grow">
          <h2>Question {`${section + 1}.${at + 1}`}</h2>
          <p className="fc-small fc-faint">
            <bdi>{`${titleOfType(question.type)}, code ${question.code}`}</bdi>
          </p>
        </div>
        {!builder.isReadOnly && <MoveTo builder={builder} question={question} />}
      </div>
      <Languages builder={builder} />
      <Toggle
        label="Properties of the question"
        choices={Object.fromEntries(tabs.map(({ id, title }) => [id, title]))}
        value={tab?.id ?? ''}
        onChange={setTab}
      />
      <fieldset className="fc-properties-fields" disabled={builder.isReadOnly} key={question.code}>
        {tab !== undefined && <tab.Fields builder={builder} question={question} />}
      </fieldset>
    </>
  )
}

function SectionProperties({ builder, section }: { builder: Builder; section: Section }) {
  return (
    <>
      <div className="fc-properties-head">
        <h2>
          {capital(builder.kit.noun)} {builder.content.draft.sections.indexOf(section) + 1}
        </h2>
      </div>
      <Languages builder={builder} />
      <fieldset className="fc-properties-fields" disabled={builder.isReadOnly} key={section.id}>
        <SectionFields builder={builder} section={section} />
      </fieldset>
    </>
  )
}

/** What blocks publishing, wherever the reader is. */
function Blocking({ builder, onProblem }: Props) {
  const errors = builder.problems.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (first === undefined) return null
  return (
    <p className="fc-properties-end fc-small fc-error-text">
      <span className="fc-grow">{count(errors.length, 'problem', 'problems')} to fix before publishing</span>
      <Button variant="default" size="compact-sm" onClick={() => onProblem(first)}>
        Show
      </Button>
    </p>
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
  const { content, apply, language, kit } = builder
  const { sections, languages } = content.draft
  const move = (section: number, at: number) =>
    apply(
      moveQuestionTo(content, question.code, { section, at }),
      `${question.code} moved to question ${at + 1} of ${kit.noun} ${section + 1}`,
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
              {`${step + 1} ${textIn(section.title, language, languages) || untitled(kit.noun)}`}
            </Menu.Label>,
            <Menu.Item key={`${section.id} first`} onClick={() => move(step, 0)}>
              First in this {kit.noun}
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
