import { useState } from 'react'

/** So much of a row tells what is wrong with it; XML can have pages of it. */
const SHOWN = 400

/** A row as it stands in its file. */
export function RawLine({ raw }: { raw: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const isLong = raw.length > SHOWN
  return (
    <>
      <code className="fc-feed-raw">
        <span className="fc-hidden">As it stands in the file: </span>
        <bdi>{isLong && !isOpen ? `${raw.slice(0, SHOWN)}...` : raw}</bdi>
      </code>
      {isLong && (
        <button
          type="button"
          className="fc-quiet fc-feed-rest"
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {isOpen ? 'Less of the row' : 'All of the row'}
        </button>
      )}
    </>
  )
}
