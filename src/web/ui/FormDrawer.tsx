import { Drawer } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useEffect } from 'react'
import { focusHeading } from '#web/follow-navigation.ts'
import { coverEnd } from './toast.tsx'

type Props = {
  title: string
  about: ReactNode
  onClose: () => void
  /** In px; a record with more than fields takes 640. */
  size?: number
  children: ReactNode
}

/**
 * A record at the end of the page (Mantine mirrors `right`), with its own URL. Closing is a navigation, so the form's
 * guard sees it.
 */
export function FormDrawer({ title, about, onClose, size = 480, children }: Props) {
  useEffect(coverEnd, [])
  useEffect(keepFocus, [])
  // Mantine listens on the window and would close the drawer under an open question, too.
  const closeOnEscape = (event: KeyboardEvent) => {
    const isInList =
      event.target instanceof Element && event.target.getAttribute('data-mantine-stop-propagation') === 'true'
    // React hands on what happens in a dialog that stands inside the drawer; that one closes alone.
    const isOwn = event.target instanceof Node && event.currentTarget.contains(event.target)
    if (event.key === 'Escape' && isOwn && !isInList) onClose()
  }
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      onKeyDown={closeOnEscape}
      closeOnEscape={false}
      position="right"
      size={size}
      classNames={{ content: 'fc-drawer' }}
      transitionProps={{ duration: 100, exitDuration: 0 }}
    >
      <Drawer.Overlay backgroundOpacity={0.12} />
      <Drawer.Content>
        <div className="fc-drawer-head">
          <div className="fc-grow">
            <Drawer.Title>{title}</Drawer.Title>
            <p>{about}</p>
          </div>
          <Drawer.CloseButton aria-label="Close" />
        </div>
        {children}
      </Drawer.Content>
    </Drawer.Root>
  )
}

/** Gives the focus back when the drawer goes: to what opened it, or to the heading where that is gone as well. */
function keepFocus(): () => void {
  const opener = document.activeElement
  return () => {
    if (document.activeElement !== document.body) return
    if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) opener.focus()
    else focusHeading()
  }
}
