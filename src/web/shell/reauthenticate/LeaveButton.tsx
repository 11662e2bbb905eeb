import { Button } from '@mantine/core'

/** A drawer below hears Escape, too, and would ask about closing itself. */
export const ALONE = { 'data-mantine-stop-propagation': 'true' } as const

/** Ends it here: what was typed is given up. */
export function LeaveButton({ onLeave }: { onLeave: () => void }) {
  return (
    <Button {...ALONE} variant="default" onClick={onLeave}>
      Leave without saving
    </Button>
  )
}
