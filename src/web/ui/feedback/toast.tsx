import { notifications } from '@mantine/notifications'
import { IconAlertTriangleFilled, IconCircleCheckFilled } from '@tabler/icons-react'

/** Specification section 9. */
const TOAST_MS = 3000
let openDrawers = 0

/**
 * Moves toasts to the start of the page, because an open drawer covers the end. Returns a function that undoes
 * this.
 */
export function moveToastsToStart(): () => void {
  openDrawers += 1
  return () => {
    openDrawers -= 1
  }
}

/** How far toasts are above the end of the page. */
export const TOAST_RISE = '--fc-toast-rise'

/** Raises toasts above what is at the end of the page, in px. Returns a function that undoes this. */
export function raiseToasts(height: number): () => void {
  const { style } = document.documentElement
  style.setProperty(TOAST_RISE, `${height}px`)
  return () => {
    style.removeProperty(TOAST_RISE)
  }
}

/** Confirms an action for three seconds, with a progress bar. `isWarning`: something was not done. */
export function toast(title: string, line?: string, { isWarning = false } = {}): void {
  const Icon = isWarning ? IconAlertTriangleFilled : IconCircleCheckFilled
  const isMirrored = document.documentElement.dir === 'rtl'
  const isAtStart = openDrawers > 0
  notifications.show({
    title,
    message: line ?? '',
    icon: <Icon size={16} aria-hidden="true" />,
    ...(isWarning && { color: 'yellow' }),
    autoClose: TOAST_MS,
    position: isAtStart === isMirrored ? 'bottom-right' : 'bottom-left',
    closeButtonProps: { 'aria-label': 'Close notification' },
  })
}
