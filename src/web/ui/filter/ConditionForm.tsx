import { Button, NativeSelect } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { readRule } from '#contract/expressions/read.ts'
import { fromRules } from '#contract/expressions/rules.ts'
import type { Variable, Variables } from '#contract/expressions/variables.ts'
import { type Draft, compatibleValues, leafOf, parseComparison, operatorsFor } from './condition.ts'
import { ValueControl } from './ValueControl.tsx'

type Props = {
  variables: Variables
  variable: Variable
  /** Initial values of the form. */
  start: Draft
  /** Receives the condition as rule text; null if nothing changed. */
  onApply: (text: string | null) => void
  onBack?: () => void
  onCancel: () => void
}

/** One condition on one field: comparison and value. */
export function ConditionForm({ variables, variable, start, onApply, onBack, onCancel }: Props) {
  const [draft, setDraft] = useState(start)
  const [problem, setProblem] = useState('')
  const change = (next: Draft) => {
    setDraft(next)
    setProblem('')
  }
  const apply = (event: FormEvent) => {
    event.preventDefault()
    // React bubbles the event to a page form that contains the popover.
    event.stopPropagation()
    const text = textOf(draft, variables)
    if (typeof text !== 'string') setProblem(text.problem)
    else onApply(JSON.stringify(draft) === JSON.stringify(start) ? null : text)
  }
  return (
    <form className="fc-condition" ref={focusFirst} onSubmit={apply} noValidate>
      <div className="fc-row">
        {onBack && (
          <button type="button" className="fc-icon-button" aria-label="Back to fields" onClick={onBack}>
            <IconChevronLeft size={16} className="fc-flip" aria-hidden="true" />
          </button>
        )}
        <h2>{variable.title}</h2>
      </div>
      <NativeSelect
        aria-label={`Comparison for ${variable.title}`}
        data={operatorsFor(variable, start.comparison)}
        value={draft.comparison}
        onChange={(event) => {
          const comparison = parseComparison(event.currentTarget.value, variable)
          if (comparison)
            change({ ...draft, comparison, values: compatibleValues({ ...draft, comparison }, variable) })
        }}
      />
      <ValueControl variable={variable} draft={draft} onChange={(values) => change({ ...draft, values })} />
      <div role="alert">
        {problem !== '' && (
          <p className="fc-rule-error">
            <bdi>{problem}</bdi>
          </p>
        )}
      </div>
      <div className="fc-condition-end">
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit">Apply</Button>
      </div>
    </form>
  )
}

function textOf(draft: Draft, variables: Variables): string | { problem: string } {
  const leaf = leafOf(draft, variables)
  if (typeof leaf === 'string') return { problem: leaf }
  const text = fromRules({ all: true, not: false, rules: [leaf] }, variables)
  const read = readRule(text, variables)
  return read.ok ? text : { problem: read.problem.message }
}

/** Focuses the value, or the comparison if there is no value. */
function focusFirst(form: HTMLFormElement | null): void {
  if (!form || form.contains(document.activeElement)) return
  const first = form.querySelector<HTMLElement>('[data-autofocus]') ?? form.querySelector('select')
  first?.focus({ preventScroll: true })
}
