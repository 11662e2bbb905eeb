import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'

type Props = {
  /** Names the filter, "Address is missing". */
  label: string
  /** Names the button that takes it away. */
  remove: string
  onRemove: () => void
  children: ReactNode
}

/** One filter of a list, as words, with its own way out. */
export function Chip({ label, remove, onRemove, children }: Props) {
  return (
    <fieldset className="fc-chip" aria-label={label}>
      <span>{children}</span>
      <button type="button" aria-label={remove} onClick={onRemove}>
        <IconX size={13} aria-hidden="true" />
      </button>
    </fieldset>
  )
}
