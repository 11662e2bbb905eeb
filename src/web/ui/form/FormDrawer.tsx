import { Drawer } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { closeOnOwnEscape, keepFocus } from '../overlay/stacking.ts'
import { coverEnd } from '../feedback/toast.tsx'

type Props = {
  title: string
  about: ReactNode
  onClose: () => void
  /** In px; a record with more than fields takes 640. */
  size?: number
  /** Beside the button that closes it. */
  tools?: ReactNode
  children: ReactNode
}

/**
 * A record at the end of the page (Mantine mirrors `right`), with its own URL. Closing is a navigation, so the form's
 * guard sees it.
 */
export function FormDrawer({ title, about, onClose, size = 480, tools, children }: Props) {
  useEffect(coverEnd, [])
  useEffect(keepFocus, [])
  return (
    <Drawer.Root
      opened
      onClose={onClose}
      onKeyDown={closeOnOwnEscape(onClose)}
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
          {tools}
          <Drawer.CloseButton aria-label="Close" />
        </div>
        {children}
      </Drawer.Content>
    </Drawer.Root>
  )
}
