import { Button } from '@mantine/core'
import { useState } from 'react'
import { MAX_EVIDENCE_BYTES } from '#contract/carbon/activity/evidence.ts'
import { controlTexts } from '#contract/questions/control-texts.ts'
import { problemsAt } from '#contract/questions/one-of.ts'
import { type FieldContext, problemsAfterLeaving } from '#web/questions/field-props.ts'
import { GroupedQuestions } from '#web/questions/GroupedQuestions.tsx'
import '#web/questions/questions.css'
import { useArea } from '../area.ts'
import type { Part } from './DelegateDialog.tsx'
import { DelegationLine } from './DelegationLine.tsx'
import { QuestionBlock } from './QuestionBlock.tsx'
import type { ShownSection } from './shown-sections.ts'
import { faultOfFile } from '../use-files.ts'
import type { OpenQuestionnaire } from './use-questionnaire.ts'

type Props = {
  section: ShownSection
  open: OpenQuestionnaire
  /** After an attempt to submit, the problems of all questions are shown. */
  showsProblems: boolean
  onAsk: (question: string) => void
  onDelegate: (part: Part) => void
}

/** A section with its questions. */
export function QuestionSection({ section, open, showsProblems, onAsk, onDelegate }: Props) {
  const { text, language, say } = useArea()
  const { record, compiled, tag, evaluation, view, files } = open
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  /** Keeps files on the device and sends them. Those that can't be used are named at once. */
  const addFiles = (question: string, added: readonly File[], isAnswer: boolean) => {
    const faults = added.flatMap((file) => {
      const fault = faultOfFile(file)
      return fault === null ? [] : [text(fault, { name: file.name, n: MAX_EVIDENCE_BYTES / 1_000_000 })]
    })
    if (faults.length > 0) say(faults.join(' '))
    const usable = added.filter((file) => faultOfFile(file) === null)
    void files.add(usable.map((file) => ({ question, name: file.name, type: file.type, file, isAnswer })))
  }
  const delegation = record.delegations.find(({ sectionId }) => sectionId === section.id)
  const mayDelegate =
    record.role === 'owner' &&
    delegation === undefined &&
    section.codes.some((code) => record.open.includes(code))
  const problemsOf = (code: string) =>
    showsProblems
      ? problemsAt(evaluation.problems, code)
      : problemsAfterLeaving(evaluation.problems, code, left)
  const id = `section-${section.id}`
  return (
    <section className="fc-area-section fc-questions" data-section={section.id} aria-labelledby={id}>
      <div className="fc-area-section-head">
        <h2 id={id} tabIndex={-1}>
          {section.title}
        </h2>
        {mayDelegate && (
          <Button
            variant="subtle"
            size="xs"
            lang={language}
            onClick={() => onDelegate({ kind: 'section', id: section.id, title: section.title })}
          >
            {text('delegateSection')}
          </Button>
        )}
      </div>
      {section.description !== '' && <p className="fc-question-text fc-soft">{section.description}</p>}
      {delegation !== undefined && <DelegationLine delegation={delegation} record={record} />}
      <GroupedQuestions
        codes={section.codes}
        compiled={compiled}
        evaluation={evaluation}
        language={tag}
        problemsOf={problemsOf}
      >
        {(code) => {
          const question = compiled.byCode.get(code)?.question
          if (question === undefined) return null
          const context: FieldContext = {
            language: tag,
            languages: record.definition.languages,
            text: controlTexts(tag),
            evaluation,
            facilities: record.facilities,
            upload: async (file) => {
              addFiles(code, [file], true)
              return null
            },
          }
          return (
            <QuestionBlock
              key={code}
              question={question}
              number={section.numbers.get(code) ?? ''}
              open={open}
              problems={problemsOf(code)}
              draft={view.drafts[code]}
              context={context}
              onFiles={(added, isAnswer) => addFiles(code, added, isAnswer)}
              onLeave={() => {
                setLeft((former) => new Set([...former, code]))
                void open.answering.sync.flush()
              }}
              onAsk={() => onAsk(code)}
              onDelegate={onDelegate}
            />
          )
        }}
      </GroupedQuestions>
    </section>
  )
}
