import { Button } from '@mantine/core'

/** Keeps Escape from reaching a drawer below, which would ask whether to close. */
export const STOP_PROPAGATION = { 'data-mantine-stop-propagation': 'true' } as const

/** Signs out and discards unsaved changes. */
export function LeaveButton({ onLeave }: { onLeave: () => void }) {
  return (
    <Button {...STOP_PROPAGATION} variant="default" onClick={onLeave}>
      Leave without saving
    </Button>
  )
}
