import { Checkbox, Radio, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import type { Variable } from '#contract/expressions/variables.ts'
import { useChoices } from './choices.ts'

type Props = {
  variable: Variable
  /** Accessible name: "Lot is any of". */
  label: string
  chosen: readonly string[]
  /** Allows several options; otherwise one. */
  isMany: boolean
  onChange: (chosen: readonly string[]) => void
}

/** Longer lists have a search. */
const MANY = 10

/** Options to check: the choices of the field, or the records it refers to, by name. */
export function ChoiceList({ variable, label, chosen, isMany, onChange }: Props) {
  const group = useId()
  const [typed, setTyped] = useState('')
  const { all, labelOf, hasMore, isPending, failure } = useChoices(variable, typed, chosen)
  const wanted = typed.trim().toLowerCase()
  const found = all.filter((choice) => choice.label.toLowerCase().includes(wanted))
  // Chosen values stay visible, even if their name is unknown or the search hides them.
  const unseen = chosen.filter((value) => !found.some((choice) => choice.value === value))
  const shown = [...unseen.map((value) => ({ value, label: labelOf(value) })), ...found]
  const hasSearch = all.length > MANY || hasMore

  const toggle = (value: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, value] : chosen.filter((other) => other !== value))
  return (
    <fieldset className="fc-choices" aria-label={label}>
      {hasSearch && (
        <TextInput
          type="search"
          size="xs"
          aria-label="Search options"
          placeholder="Search"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          // Enter would submit the whole form.
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          data-autofocus
        />
      )}
      <div className="fc-choices-rows">
        {shown.map(({ value, label: name }, at) =>
          isMany ? (
            <Checkbox
              key={value}
              size="xs"
              label={<bdi>{name}</bdi>}
              checked={chosen.includes(value)}
              onChange={(event) => toggle(value, event.currentTarget.checked)}
              {...(!hasSearch && at === 0 && { 'data-autofocus': true })}
            />
          ) : (
            <Radio
              key={value}
              size="xs"
              name={group}
              label={<bdi>{name}</bdi>}
              checked={chosen.includes(value)}
              onChange={() => onChange([value])}
              {...(!hasSearch && at === 0 && { 'data-autofocus': true })}
            />
          ),
        )}
        {isPending && <p className="fc-small fc-faint">Loading options…</p>}
        {failure && (
          <p className="fc-small fc-faint" role="alert">
            {failure}
          </p>
        )}
        {!isPending && !failure && shown.length === 0 && <p className="fc-small fc-faint">No matches.</p>}
      </div>
    </fieldset>
  )
}
