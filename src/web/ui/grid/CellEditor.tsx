import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { ChoiceList } from './CellChoices.tsx'
import type { GridChoice, GridColumn } from './grid-column.ts'
import type { GridAction } from './grid-state.ts'

type Props = { column: GridColumn; place: number; text: string; act: (action: GridAction) => void }

/** The maximum number of options shown. */
const MOST_SHOWN = 50

/** The editor of the active cell. Enter and Tab accept its text, Escape discards it. */
export function CellEditor({ column, place, text, act }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  const [isTyped, setIsTyped] = useState(false)
  const [marked, setMarked] = useState(-1)
  const choices = column.choices ?? []
  const shown = isTyped ? choices.filter((choice) => fits(choice, text)).slice(0, MOST_SHOWN) : choices
  const hasList = choices.length > 0
  useEffect(() => {
    const input = field.current
    input?.focus({ preventScroll: true })
    input?.setSelectionRange(input.value.length, input.value.length)
  }, [])

  function finish(action: GridAction, tab: 1 | -1 | null) {
    const chosen = shown[marked] ?? onlyBegun(column, isTyped ? text : '')
    if (chosen) act({ type: 'type', text: chosen.label })
    act(action)
    if (tab !== null) act({ type: 'tab', by: tab })
    field.current?.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true })
  }
  function press(event: KeyboardEvent<HTMLInputElement>) {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter') {
      event.preventDefault()
      finish({ type: 'commit', to: event.shiftKey ? 'up' : 'down' }, null)
    } else if (event.key === 'Tab') {
      event.preventDefault()
      finish({ type: 'commit', to: 'stay' }, event.shiftKey ? -1 : 1)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      // Escape leaves the cell, not the surrounding drawer.
      event.stopPropagation()
      act({ type: 'cancel' })
      field.current?.closest<HTMLElement>('[role="grid"]')?.focus({ preventScroll: true })
    } else if (hasList && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault()
      const next = marked + (event.key === 'ArrowDown' ? 1 : -1)
      setMarked(Math.max(-1, Math.min(shown.length - 1, next)))
    }
  }
  return (
    <>
      <input
        ref={field}
        className="fc-grid-field"
        aria-label={`${column.title}, row ${place + 1}`}
        value={text}
        autoComplete="off"
        inputMode={column.kind === 'number' ? 'decimal' : 'text'}
        {...(hasList && {
          role: 'combobox',
          'aria-expanded': shown.length > 0,
          'aria-controls': `${id}-list`,
          'aria-autocomplete': 'list' as const,
          ...(marked >= 0 && { 'aria-activedescendant': `${id}-${marked}` }),
        })}
        onChange={(event) => {
          setIsTyped(true)
          setMarked(-1)
          act({ type: 'type', text: event.currentTarget.value })
        }}
        onKeyDown={press}
        onBlur={() => act({ type: 'commit', to: 'stay' })}
      />
      {hasList && shown.length > 0 && (
        <ChoiceList
          id={id}
          title={column.title}
          field={field}
          choices={shown}
          marked={marked}
          onChoose={(label) => {
            act({ type: 'type', text: label })
            act({ type: 'commit', to: 'stay' })
          }}
        />
      )}
    </>
  )
}

/** The one choice that begins with what was typed: the list below the field shows which. Never a unit. */
function onlyBegun({ kind, choices = [] }: GridColumn, text: string): GridChoice | undefined {
  const typed = text.trim().toLowerCase()
  if (kind !== 'choice' || typed === '') return undefined
  const begun = choices.filter(({ label }) => label.toLowerCase().startsWith(typed))
  return begun.length === 1 ? begun[0] : undefined
}

const fits = ({ label, value, aliases = [] }: GridChoice, text: string) =>
  [label, value, ...aliases].some((name) => name.toLowerCase().includes(text.trim().toLowerCase()))
