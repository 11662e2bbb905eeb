import { useId } from 'react'
import type { Variables } from '#contract/expressions/variables.ts'
import { RuleEditor } from './RuleEditor.tsx'
import type { Written } from './rule-draft.ts'

type Props = {
  text: string
  variables: Variables
  written: Written
  onChange: (text: string) => void
  onEnter: () => void
}

/** A rule as text, with what is wrong with it and where. */
export function RuleText({ text, variables, written, onChange, onEnter }: Props) {
  const id = useId()
  const problem =
    written.ok || written.from === null
      ? null
      : { message: written.message, from: written.from, to: written.to }
  return (
    <div className="fc-rule-text">
      <RuleEditor
        text={text}
        variables={variables}
        problem={problem}
        label="Rule"
        describedBy={id}
        onChange={onChange}
        onEnter={onEnter}
      />
      <output id={id} className={problem ? 'fc-rule-error' : 'fc-small fc-faint'}>
        <bdi>
          {problem
            ? `Character ${problem.from + 1}: ${problem.message}`
            : 'Written in CEL: compare with == != < >, connect with && and ||. Ctrl and Space offer what fits.'}
        </bdi>
      </output>
    </div>
  )
}
