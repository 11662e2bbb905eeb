import { useId } from 'react'
import type { Variables } from '#contract/expressions/variables.ts'
import { RuleEditor } from './RuleEditor.tsx'
import type { DraftResult } from './rule-draft.ts'

type Props = {
  text: string
  variables: Variables
  written: DraftResult
  onChange: (text: string) => void
  onEnter: () => void
}

/** A rule as text, with its error and position. */
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
            : 'Uses CEL: compare with == != < >, combine with && and ||. Press Ctrl+Space for suggestions.'}
        </bdi>
      </output>
    </div>
  )
}
