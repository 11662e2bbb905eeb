import { TextInput } from '@mantine/core'
import { IconAdjustments } from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import type { Variables } from '#contract/expressions/variables.ts'
import { moveFocus } from '../overlay/move-focus.ts'
import '../controls/drop-menu.css'

type Props = {
  variables: Variables
  onPick: (field: string) => void
  onAdvanced: () => void
}

/** The fields of the list with a search, and a link to the advanced filter. */
export function FieldPicker({ variables, onPick, onAdvanced }: Props) {
  const [typed, setTyped] = useState('')
  const wanted = typed.trim().toLowerCase()
  const found = Object.entries(variables).filter(([, { title }]) => title.toLowerCase().includes(wanted))
  const pickFirst = (event: KeyboardEvent) => {
    const [first] = found
    if (event.key !== 'Enter' || wanted === '' || !first) return
    event.preventDefault()
    onPick(first[0])
  }
  return (
    // Each stop in it is a control of its own; the list only moves between them.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className="fc-fields" onKeyDown={(event) => moveFocus(event, 'input, button', 'vertical')}>
      <TextInput
        type="search"
        aria-label="Search fields"
        placeholder="Filter by"
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={pickFirst}
        autoComplete="off"
        data-autofocus
      />
      <ul aria-label="Fields">
        {found.map(([id, { title }]) => (
          <li key={id}>
            <button type="button" className="fc-drop-item" onClick={() => onPick(id)}>
              {title}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="fc-small fc-faint">No matching fields.</p>}
      <hr />
      <button type="button" className="fc-drop-item" onClick={onAdvanced}>
        <IconAdjustments size={16} aria-hidden="true" />
        Advanced
      </button>
    </div>
  )
}
