import { Popover } from '@mantine/core'
import { type RefObject, useState } from 'react'
import type { NameOf } from '#contract/expressions/describe.ts'
import type { Variables } from '#contract/expressions/variables.ts'
import { ConditionEditor } from './ConditionEditor.tsx'
import { conditionLabel } from './condition-labels.ts'
import { AddFilterText } from './AddFilterText.tsx'
import { type Part, withoutPart, withPart } from './rules/rule-parts.ts'
import { RuleChip } from './RuleChip.tsx'

export type BarProps = {
  parts: readonly Part[]
  /** Why the server rejected the filter: chips show that something is wrong, the list shows why. */
  problem: string | undefined
  variables: Variables
  nameOf: NameOf
  /** A button that always stays, for returning the focus. */
  button: RefObject<HTMLButtonElement | null>
  /** Whether the form for a new condition is open; on a narrow screen, the sheet. */
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
  onChange: (filter: string) => void
  onAdvanced: () => void
}

/** The filter in a toolbar: a chip for each condition, "+ Filter", "Clear". */
export function ChipRow(props: BarProps & { onClear: () => void }) {
  const { parts, problem, variables, nameOf, button, isOpen, onOpen, onChange, onClear, onAdvanced } = props
  /** Index of the chip whose form is open. */
  const [changed, setChanged] = useState<number | null>(null)
  const close = () => {
    // The first time, the form opens before the button that takes the focus back is rendered.
    if (isOpen && document.activeElement?.closest('.fc-filter-drop')) button.current?.focus()
    setChanged(null)
    onOpen(false)
  }
  const advance = () => {
    close()
    onAdvanced()
  }
  const apply = (at: number, text: string | null) => {
    close()
    if (text !== null) onChange(withPart(parts, at, text))
  }
  const remove = (at: number) => {
    // The remaining chips move up under the focus; after the last one, the button takes it.
    if (at === parts.length - 1) button.current?.focus()
    onChange(withoutPart(parts, at))
  }
  return (
    <>
      {parts.map(({ text, leaf }, at) => (
        <RuleChip
          // Chips have no identity but their place.
          // oxlint-disable-next-line react/no-array-index-key
          key={at}
          words={leaf && conditionLabel(leaf, variables, nameOf)}
          text={text}
          problem={problem}
          isOpen={changed === at}
          onToggle={(isWanted) => {
            if (!leaf) advance()
            else setChanged(isWanted ? at : null)
          }}
          onRemove={() => remove(at)}
        >
          <ConditionEditor
            variables={variables}
            leaf={leaf}
            onApply={(next) => apply(at, next)}
            onCancel={close}
            onAdvanced={advance}
          />
        </RuleChip>
      ))}
      <Popover
        opened={isOpen}
        onChange={(isWanted) => (isWanted ? onOpen(true) : close())}
        width={280}
        position="bottom-start"
        shadow="md"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <button
            ref={button}
            type="button"
            className="fc-add-filter"
            aria-haspopup="dialog"
            onClick={() => (isOpen ? close() : onOpen(true))}
          >
            <AddFilterText />
          </button>
        </Popover.Target>
        <Popover.Dropdown className="fc-filter-drop" aria-label="New filter">
          <ConditionEditor
            variables={variables}
            leaf={null}
            onApply={(text) => apply(parts.length, text)}
            onCancel={close}
            onAdvanced={advance}
          />
        </Popover.Dropdown>
      </Popover>
      {parts.length > 0 && (
        <button type="button" className="fc-clear-filter" onClick={onClear}>
          Clear
        </button>
      )}
    </>
  )
}
