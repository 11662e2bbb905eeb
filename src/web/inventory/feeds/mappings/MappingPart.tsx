import { type ReactNode, useState } from 'react'

type Props = {
  /** What it is and what is said there now. */
  title: string
  /** Something in it was refused: it opens. */
  isWrong?: boolean
  children: ReactNode
}

/** A part of the mapping that most providers need nothing of: it opens in place. */
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
