import { ActionIcon } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { useRef } from 'react'
import { isCovered } from '../form/save-hotkey.ts'

type Props = Readonly<{
  /** Null if there is no step. */
  undo: (() => void) | null
  redo: (() => void) | null
}>

/**
 * Undo and redo, also with Ctrl Z, Ctrl Shift Z and Ctrl Y. In a text field these keys are the browser's, which takes back letters.
 * The buttons stay focusable when the last step is undone.
 */
export function HistoryButtons({ undo, redo }: Props) {
  const first = useRef<HTMLButtonElement>(null)
  const run = (act: (() => void) | null) => {
    act?.()
    // What had the focus may be gone.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) first.current?.focus()
    })
  }
  const runByKey = (act: (() => void) | null) => (event: KeyboardEvent) => {
    const shown = first.current
    if (isTextField(event.target) || shown?.checkVisibility() !== true || isCovered(shown)) return
    event.preventDefault()
    run(act)
  }
  const isQuiet = { preventDefault: false }
  useHotkeys(
    [
      ['mod+Z', runByKey(undo), isQuiet],
      ['mod+shift+Z', runByKey(redo), isQuiet],
      ['mod+Y', runByKey(redo), isQuiet],
    ],
    [],
    true,
  )
  const button = (act: (() => void) | null) => ({
    variant: 'subtle',
    size: 36,
    'aria-disabled': act === null,
    ...(act === null && { 'data-disabled': true }),
    onClick: () => run(act),
  })
  return (
    <>
      <ActionIcon {...button(undo)} ref={first} aria-label="Undo" aria-keyshortcuts="Control+Z">
        <IconArrowBackUp size={18} className="fc-flip" />
      </ActionIcon>
      <ActionIcon {...button(redo)} aria-label="Redo" aria-keyshortcuts="Control+Shift+Z Control+Y">
        <IconArrowForwardUp size={18} className="fc-flip" />
      </ActionIcon>
    </>
  )
}

const TEXT_TYPES = new Set(['text', 'search', 'url', 'tel', 'email', 'number', 'password'])

/** Where the browser itself undoes typing. */
function isTextField(target: EventTarget | null): boolean {
  if (target instanceof HTMLTextAreaElement) return !target.readOnly
  if (target instanceof HTMLInputElement) return TEXT_TYPES.has(target.type) && !target.readOnly
  return target instanceof HTMLElement && target.isContentEditable
}
