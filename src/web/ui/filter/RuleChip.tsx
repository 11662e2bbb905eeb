import { Popover } from '@mantine/core'
import { IconAlertTriangle, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { ConditionLabel } from './condition-labels.ts'

type Props = {
  /** Null for a part of the rule that isn't a simple condition. */
  words: ConditionLabel | null
  /** The part as written. */
  text: string
  problem: string | undefined
  isOpen: boolean
  /** The label was clicked, or the form was closed. */
  onToggle: (isOpen: boolean) => void
  onRemove: () => void
  /** The form of the condition, while it is open. */
  children: ReactNode
}

/** One part of a rule: its label opens a form to edit it, and a button removes it. */
export function RuleChip({ words, text, problem, isOpen, onToggle, onRemove, children }: Props) {
  const label = labelOf(words, text)
  return (
    <fieldset className="fc-chip" aria-label={label} data-broken={problem !== undefined || undefined}>
      <Popover
        opened={isOpen && words !== null}
        onChange={onToggle}
        width={280}
        position="bottom-start"
        shadow="md"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <button
            type="button"
            className="fc-chip-words"
            {...(problem !== undefined && { 'aria-description': problem })}
            aria-haspopup="dialog"
            title={problem ?? (words === null ? text : undefined)}
            onClick={() => onToggle(!isOpen)}
          >
            {problem !== undefined && (
              <IconAlertTriangle size={14} className="fc-refused" aria-hidden="true" />
            )}
            <ChipLabel words={words} text={text} />
          </button>
        </Popover.Target>
        <Popover.Dropdown className="fc-filter-drop" aria-label={label}>
          {children}
        </Popover.Dropdown>
      </Popover>
      <button type="button" aria-label={`Remove filter: ${label}`} onClick={onRemove}>
        <IconX size={13} aria-hidden="true" />
      </button>
    </fieldset>
  )
}

/** The name of a part of a rule: "Days is over 45", or the part itself. */
export function labelOf(words: ConditionLabel | null, text: string): string {
  return words === null ? text : `${words.field} ${words.operator} ${words.value}`
}

/** The label with its value in bold; a part that isn't a simple condition is shown as written. */
export function ChipLabel({ words, text }: Pick<Props, 'words' | 'text'>) {
  if (words === null) {
    return (
      <code className="fc-cut" dir="ltr">
        {text}
      </code>
    )
  }
  return (
    <bdi className="fc-cut">
      {words.field} {words.operator}{' '}
      <b>
        <bdi>{words.value}</bdi>
      </b>
    </bdi>
  )
}
