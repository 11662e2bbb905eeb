import { useState } from 'react'
import type { RuleLeaf } from '#contract/expressions/leaf.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import { draftOf, newDraft } from './condition.ts'
import { ConditionForm } from './ConditionForm.tsx'
import { FieldPicker } from './FieldPicker.tsx'

type Props = {
  variables: Variables
  /** The condition to edit; null for a new one, which starts with choosing a field. */
  leaf: RuleLeaf | null
  /** Receives the condition as rule text; null if nothing changed. */
  onApply: (text: string | null) => void
  onCancel: () => void
  onAdvanced: () => void
}

/** Edits one condition: first the field, then comparison and value. */
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
