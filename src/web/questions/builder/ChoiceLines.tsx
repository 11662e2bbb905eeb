import { Textarea } from '@mantine/core'
import { useState } from 'react'
import type { QuestionChoice } from '#contract/questions/definition.ts'
import { linesOf, readChoices } from './choice-lines.ts'

type Props = {
  label: string
  description?: string
  choices: readonly QuestionChoice[]
  language: string
  onChange: (choices: QuestionChoice[]) => void
}

/** Choices as text, one per line. */
export function ChoiceLines({ label, description, choices, language, onChange }: Props) {
  const [typed, setTyped] = useState(() => linesOf(choices, language))
  const stored = linesOf(choices, language)
  // What was typed may have empty lines. After an undo it is what was stored then.
  const isOwn = linesOf(readChoices(typed, choices, language), language) === stored
  return (
    <Textarea
      label={label}
      description={description ?? 'One per line. A copied list can be pasted.'}
      autosize
      minRows={3}
      maxRows={12}
      value={isOwn ? typed : stored}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value)
        onChange(readChoices(value, choices, language))
      }}
    />
  )
}
