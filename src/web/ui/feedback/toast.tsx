import { notifications } from '@mantine/notifications'
import { IconCircleCheckFilled } from '@tabler/icons-react'

/** Specification section 9. */
const TOAST_MS = 3000
let openDrawers = 0

/** A drawer covers the end of the page: while one is open, toasts stand at the start. Returns how to undo it. */
export function coverEnd(): () => void {
  openDrawers += 1
  return () => {
    openDrawers -= 1
  }
}

/** Says for three seconds that something worked, with a bar that runs out. */
export function toast(title: string, line?: string): void {
  const isMirrored = document.documentElement.dir === 'rtl'
  const isAtStart = openDrawers > 0
  notifications.show({
    title,
    message: line ?? '',
    icon: <IconCircleCheckFilled size={16} aria-hidden="true" />,
    autoClose: TOAST_MS,
    position: isAtStart === isMirrored ? 'bottom-right' : 'bottom-left',
    closeButtonProps: { 'aria-label': 'Close notice' },
  })
}
