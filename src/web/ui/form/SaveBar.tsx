import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { Endpoint } from '#contract/endpoint.ts'
import { focusHeading } from '#web/follow-navigation.ts'
import { raiseToasts } from '../feedback/toast.tsx'
import { Action } from '../controls/Action.tsx'
import { type Conflict, ConflictNotice } from './ConflictNotice.tsx'
import { NotSaved } from './NotSaved.tsx'
import { useSaveHotkey } from './save-hotkey.ts'
import './save-bar.css'

type Props = {
  /** "3 permission changes". */
  title: string
  /** What saving does, in one line. */
  line: string
  /** The endpoint that saves. It determines the button's permission. */
  for: Endpoint
  isSaving: boolean
  onSave: () => void
  onDiscard: () => void
  /** Shown instead of the title and the line. */
  conflict?: Conflict | null
  /** Goes to the first wrong field, if a save was refused and the user typed on. */
  onShowWrong?: (() => void) | null
}

/**
 * A bar for unsaved changes, floating over the end of the scroll container: render it as the last child. Ctrl S
 * saves. When it disappears, the focus returns to where the user was before.
 */
export function SaveBar(props: Props) {
  const {
    title,
    line,
    for: endpoint,
    isSaving,
    onSave,
    onDiscard,
    conflict = null,
    onShowWrong = null,
  } = props
  const bar = useRef<HTMLElement>(null)
  const before = useRef<Element | null>(null)
  const save = () => {
    if (!isSaving) onSave()
  }
  useSaveHotkey(() => bar.current, save)
  // A toast never covers the buttons.
  useEffect(() => raiseToasts((bar.current?.offsetHeight ?? 0) + 16), [])
  useEffect(() => {
    const element = bar.current
    const remember = ({ relatedTarget }: FocusEvent) => {
      if (relatedTarget instanceof Element && !element?.contains(relatedTarget))
        before.current = relatedTarget
    }
    element?.addEventListener('focusin', remember)
    return () => {
      element?.removeEventListener('focusin', remember)
      returnFocus(before.current)
    }
  }, [])
  return (
    <section ref={bar} className="fc-save-bar" aria-label="Unsaved changes">
      {conflict ? (
        <ConflictNotice conflict={conflict} />
      ) : (
        <output className="fc-save-bar-text">
          <span className="fc-save-bar-dot" aria-hidden="true" />
          <b>
            <bdi>{title}</bdi>
          </b>
          <span className="fc-cut fc-only-wide" title={line}>
            <bdi>{line}</bdi>
          </span>
        </output>
      )}
      {onShowWrong !== null && !conflict && <NotSaved onShow={onShowWrong} />}
      <Button variant="subtle" color="gray" onClick={onDiscard} disabled={isSaving}>
        Discard
      </Button>
      <Action for={endpoint} onClick={save} saves loading={isSaving}>
        Save changes
        <kbd className="fc-save-bar-key" aria-hidden="true">
          Ctrl S
        </kbd>
      </Action>
    </section>
  )
}

function returnFocus(element: Element | null): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return
    if (element instanceof HTMLElement && element.isConnected) element.focus()
    else focusHeading()
  })
}
