import { Button } from '@mantine/core'
import { useId, useRef, useState } from 'react'
import type { CompiledDefinition } from '#contract/questions/compile.ts'
import type { Section } from '#contract/questions/definition.ts'
import type { Evaluation, Seller } from '#contract/questions/evaluate.ts'
import { pickLanguage } from '#contract/questions/texts.ts'
import { controlTexts } from '#contract/questions/control-texts.ts'
import type { Drafts } from './draft-answers.ts'
import { type FieldContext, shownText } from './field-props.ts'
import { GroupedQuestions } from './GroupedQuestions.tsx'
import { QuestionField } from './QuestionField.tsx'
import { type AnswersState, useAnswers } from './use-answers.ts'
import './questions.css'

type Props = Pick<FieldContext, 'facilities' | 'upload'> & {
  compiled: CompiledDefinition
  language: string
  /** The instant for `today()`, and the time zone of the seller. */
  now: Date
  zone: string
  seller?: Seller
  initial?: Drafts
  /** Shows one section at a time. */
  isStepped?: boolean
  submitLabel: string
  /** Gets valid answers only. */
  onSubmit: (evaluation: Evaluation) => void
  /** Called with what is in the inputs after each change. */
  onDrafts?: (drafts: Drafts) => void
  /** Called with the valid answers so far when a step is completed. */
  onStep?: (evaluation: Evaluation) => void
}

/** The form of a definition, as respondents see it. Nothing leaves it before a button is pressed. */
export function QuestionForm(props: Props) {
  const { compiled, isStepped = false } = props
  const { languages, sections } = compiled.definition
  const language = pickLanguage(languages, props.language)
  const state = useAnswers(compiled, { ...props, language })
  const [step, setStep] = useState(0)
  const form = useRef<HTMLFormElement>(null)
  const { evaluation } = state
  const change: AnswersState['change'] = (code, draft) => {
    state.change(code, draft)
    props.onDrafts?.({ ...state.drafts, [code]: draft })
  }
  const text = controlTexts(language)
  const context: FieldContext = { ...props, language, languages, text, evaluation }
  const last = evaluation.sections.length - 1
  const current = Math.max(0, Math.min(step, last))
  const shown = isStepped ? evaluation.sections.slice(current, current + 1) : evaluation.sections
  const codes = shown.flatMap(({ questions }) => questions)
  const isLast = !isStepped || current >= last

  /** After React has rendered the problems. */
  const focus = (selector: string) =>
    void requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(selector)?.focus())

  function send() {
    const wrong = evaluation.problems.find(({ question }) => isLast || codes.includes(question))
    if (wrong === undefined && isLast) {
      props.onSubmit(evaluation)
      return
    }
    if (wrong === undefined) {
      props.onStep?.(evaluation)
      setStep(current + 1)
      focus('[data-heading]')
      return
    }
    state.showAll(isLast ? evaluation.visible : codes)
    const at = evaluation.sections.findIndex(({ questions }) => questions.includes(wrong.question))
    if (isStepped && at !== -1) setStep(at)
    const field = `[data-question="${wrong.question}"]`
    focus(`${field} [aria-invalid="true"], ${field} :is(input:not([type="hidden"]), textarea, button)`)
  }

  return (
    <form
      ref={form}
      className="fc-questions"
      lang={language}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {shown.map(({ id, questions }) => (
        <SectionFields
          key={id}
          section={sections.find((section) => section.id === id)}
          codes={questions}
          compiled={compiled}
          state={{ ...state, change }}
          context={context}
          {...(isStepped && { place: text('step', `${current + 1}/${last + 1}`) })}
        />
      ))}
      <div className="fc-questions-footer">
        {isStepped && current > 0 && (
          <Button
            variant="default"
            onClick={() => {
              setStep(current - 1)
              focus('[data-heading]')
            }}
          >
            {text('back')}
          </Button>
        )}
        <Button type="submit">{isLast ? props.submitLabel : text('next')}</Button>
        <output className="fc-question-error">
          {codes.some((code) => state.problemsOf(code).length > 0) && text('problems')}
        </output>
      </div>
    </form>
  )
}

type SectionProps = {
  section: Section | undefined
  /** The visible questions. */
  codes: readonly string[]
  compiled: CompiledDefinition
  state: AnswersState
  context: FieldContext
  /** "Step 2/3". */
  place?: string
}

function SectionFields({ section, codes, compiled, state, context, place }: SectionProps) {
  const id = useId()
  const description = shownText(section?.description, context)
  return (
    <section aria-labelledby={id}>
      <h2 id={id} data-heading tabIndex={-1}>
        {place !== undefined && <span className="fc-small fc-soft">{`${place} `}</span>}
        {shownText(section?.title, context)}
      </h2>
      {description !== '' && <p className="fc-question-text fc-soft">{description}</p>}
      <GroupedQuestions
        codes={codes}
        compiled={compiled}
        evaluation={context.evaluation}
        language={context.language}
        problemsOf={state.problemsOf}
      >
        {(code) => {
          const question = compiled.byCode.get(code)?.question
          return (
            question !== undefined && (
              <div key={code} data-question={code}>
                <QuestionField
                  question={question}
                  draft={state.drafts[code]}
                  onChange={(draft) => state.change(code, draft)}
                  onLeave={() => state.leave(code)}
                  problems={state.problemsOf(code)}
                  isRequired={context.evaluation.required.includes(code)}
                  context={context}
                />
              </div>
            )
          )
        }}
      </GroupedQuestions>
    </section>
  )
}
