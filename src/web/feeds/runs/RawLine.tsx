import { useState } from 'react'

/** How many characters are shown at first; an XML row can fill pages. */
const SHOWN = 400

/** The original text of a row. */
export function RawLine({ raw }: { raw: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const isLong = raw.length > SHOWN
  return (
    <>
      <code className="fc-feed-raw">
        <span className="fc-hidden">Text in the file: </span>
        <bdi>{isLong && !isOpen ? `${raw.slice(0, SHOWN)}...` : raw}</bdi>
      </code>
      {isLong && (
        <button
          type="button"
          className="fc-quiet fc-feed-rest"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show full row'}
        </button>
      )}
    </>
  )
}
