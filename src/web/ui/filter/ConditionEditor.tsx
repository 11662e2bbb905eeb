import { useState } from 'react'
import type { RuleLeaf } from '#contract/expressions/leaf.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import { draftOf, newDraft } from './condition.ts'
import { ConditionForm } from './ConditionForm.tsx'
import { FieldPicker } from './FieldPicker.tsx'

type Props = {
  variables: Variables
  /** The condition that is changed; null for a new one, which begins with its field. */
  leaf: RuleLeaf | null
  /** The condition as text of a rule; null where nothing was changed. */
  onApply: (text: string | null) => void
  onCancel: () => void
  onAdvanced: () => void
}

/** Writes one condition: first what to filter by, then how and with what. */
export function ConditionEditor({ variables, leaf, onApply, onCancel, onAdvanced }: Props) {
  const [picked, setPicked] = useState<string | null>(null)
  const field = leaf?.field ?? picked
  const variable = field === null ? undefined : variables[field]
  if (field === null || variable === undefined) {
    return <FieldPicker variables={variables} onPick={setPicked} onAdvanced={onAdvanced} />
  }
  return (
    <ConditionForm
      variables={variables}
      variable={variable}
      start={leaf ? draftOf(leaf, variable) : newDraft(field, variable)}
      onApply={onApply}
      onCancel={onCancel}
      {...(!leaf && { onBack: () => setPicked(null) })}
    />
  )
}
