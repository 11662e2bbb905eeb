import { TagsInput, type TagsInputProps } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'

type Props = Omit<
  TagsInputProps,
  'value' | 'defaultValue' | 'onChange' | 'searchValue' | 'onSearchChange' | 'onKeyDown'
> & {
  value?: string[]
  onChange: (tags: string[]) => void
}

/**
 * Words of the user's own in a form. The word that is being typed counts as the last one, before Enter makes a tag of it: it is
 * an unsaved change, and saved with the others. Ctrl+Enter or Cmd+Enter takes it and saves.
 */
export function TagsField({ value = [], onChange, maxTags = Infinity, ...input }: Props) {
  const [{ typed, isAdded }, setTyped] = useState({ typed: '', isAdded: false })
  const isLast = isAdded && value.at(-1) === typed.trim()
  const tags = isLast ? value.slice(0, -1) : value
  // Without its word, the form has other values now, such as those from before.
  const text = isAdded && !isLast ? '' : typed
  /** For events that come before the last one is rendered. */
  const shown = useRef({ tags, text })
  useEffect(() => {
    shown.current = { tags, text }
  })
  function show(next: Partial<typeof shown.current>) {
    const now = { ...shown.current, ...next }
    shown.current = now
    const word = now.text.trim()
    const isKnown = now.tags.some((tag) => tag.toLowerCase() === word.toLowerCase())
    const isNew = word !== '' && !isKnown && now.tags.length < maxTags
    setTyped({ typed: now.text, isAdded: isNew })
    onChange(isNew ? [...now.tags, word] : now.tags)
  }
  return (
    <TagsInput
      {...input}
      maxTags={maxTags}
      value={tags}
      onChange={(next) => show({ tags: next })}
      searchValue={text}
      onSearchChange={(next) => show({ text: next })}
      onKeyDown={saveOnModEnter}
    />
  )
}

function saveOnModEnter(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
