import { Notifications } from '@mantine/notifications'
import '../controls/controls.css'

/** Where toasts stand; `ui/toast.tsx` shows them. */
export function Toasts() {
  return <Notifications limit={3} containerWidth={320} />
}
