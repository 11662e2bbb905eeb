import { Notifications } from '@mantine/notifications'
import { TOAST_RISE } from './toast.tsx'
import '../controls/controls.css'

/** Container for the toasts of `toast.tsx`. */
export function Toasts() {
  return (
    <Notifications
      limit={3}
      containerWidth={320}
      styles={{ root: { marginBlockEnd: `var(${TOAST_RISE}, 0)` } }}
    />
  )
}
