import { type ReactNode, useId } from 'react'
import type { QuestionType } from '#contract/questions/definition.ts'
import { type FieldProps, shownText } from './field-props.ts'

type Props = FieldProps<QuestionType> & { error?: string; children: ReactNode }

/** The title of a question with several inputs, with help and problem, as a group for screen readers. */
export function QuestionGroup({ question, isRequired, context, error, children }: Props) {
  const id = useId()
  const help = shownText(question.help, context)
  const parts = [...(help === '' ? [] : [`${id}-help`]), ...(error === undefined ? [] : [`${id}-error`])]
  return (
    <fieldset
      className="fc-question-group"
      aria-labelledby={`${id}-title`}
      {...(parts.length > 0 && { 'aria-describedby': parts.join(' ') })}
    >
      <legend id={`${id}-title`}>
        {shownText(question.title, context)}
        {isRequired && (
          <span className="fc-question-asterisk" aria-hidden="true">
            {' *'}
          </span>
        )}
      </legend>
      {children}
      {help !== '' && (
        <p id={`${id}-help`} className="fc-small fc-soft">
          {help}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="fc-question-error">
          {error}
        </p>
      )}
    </fieldset>
  )
}
