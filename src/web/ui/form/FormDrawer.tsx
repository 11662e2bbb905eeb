import { Drawer } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { closeOnOwnEscape, restoreFocusOnUnmount } from '../overlay/stacking.ts'
import { useRecordTitle } from '../layout/use-record-title.ts'
import { moveToastsToStart } from '../feedback/toast.tsx'

type Props = {
  title: string
  about: ReactNode
  onClose: () => void
  /** In px. Records with more than form fields use 640. */
  size?: number
  /** Next to the Close button. */
  tools?: ReactNode
  children: ReactNode
}

/**
 * A record in a drawer at the end of the page (Mantine mirrors `right`), with its own URL. Closing it is a
 * navigation, so the unsaved changes guard applies.
 */
export function FormDrawer({ title, about, onClose, size = 480, tools, children }: Props) {
  useRecordTitle(title)
  useEffect(moveToastsToStart, [])
  useEffect(restoreFocusOnUnmount, [])
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
