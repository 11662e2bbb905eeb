import { Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Chip } from './Chip.tsx'

type Props<Value extends string> = {
  /** What is filtered by, "Status". */
  name: string
  /** Undefined: nothing is filtered. */
  value: Value | undefined
  choices: readonly { value: Value; label: string }[]
  onChange: (value: Value | undefined) => void
}

/** A filter with few choices: a dashed button to set it, a chip once it is set. */
export function Filter<Value extends string>({ name, value, choices, onChange }: Props<Value>) {
  const chosen = choices.find((choice) => choice.value === value)
  if (chosen) {
    const label = `${name} is ${chosen.label}`
    return (
      <Chip label={label} remove={`Remove filter: ${label}`} onRemove={() => onChange(undefined)}>
        {name} is <b>{chosen.label}</b>
      </Chip>
    )
  }
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button type="button" className="fc-add-filter">
          <IconPlus size={14} aria-hidden="true" /> {name}
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((choice) => (
          <Menu.Item key={choice.value} onClick={() => onChange(choice.value)}>
            {choice.label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
