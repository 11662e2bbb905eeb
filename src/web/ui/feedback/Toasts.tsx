import { Notifications } from '@mantine/notifications'
import '../controls/controls.css'

/** Container for the toasts of `toast.tsx`. */
export function Toasts() {
  return <Notifications limit={3} containerWidth={320} />
}
