import { useDebouncedCallback, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useRef, useState } from 'react'

const DEBOUNCE_MS = 250

type Props = { label: string; placeholder: string; value: string; onSearch: (text: string) => void }

const CUT = { textOverflow: 'ellipsis' } as const

/** The search of a list: `/` focuses it, and the list updates 250 ms after the last key. */
export function SearchField({ label, placeholder, value, onSearch }: Props) {
  const input = useRef<HTMLInputElement>(null)
  // Text not yet in the URL; null when the URL is up to date.
  const [typed, setTyped] = useState<string | null>(null)
  const search = useDebouncedCallback((text: string) => {
    onSearch(text)
    setTyped(null)
  }, DEBOUNCE_MS)
  useHotkeys([['/', () => input.current?.focus()]])
  return (
    <span className="fc-find">
      <IconSearch size={15} aria-hidden="true" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        placeholder={placeholder}
        style={CUT}
        value={typed ?? value}
        maxLength={200}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          search(event.currentTarget.value)
        }}
      />
      <kbd className="fc-key" aria-hidden="true">
        /
      </kbd>
    </span>
  )
}
