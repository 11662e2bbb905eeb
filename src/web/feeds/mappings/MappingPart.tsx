import { type ReactNode, useState } from 'react'

type Props = {
  /** The title with the current value. */
  title: string
  /** Whether it contains an error, which opens it. */
  isWrong?: boolean
  children: ReactNode
}

/** A collapsible part of the mapping that most providers don't need. */
export function MappingPart({ title, isWrong = false, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details
      className="fc-mapping-part-of"
      open={isOpen || isWrong}
      onToggle={(event) => setIsOpen(event.currentTarget.open)}
    >
      <summary>
        <bdi>{title}</bdi>
      </summary>
      {children}
    </details>
  )
}
