import { Button } from '@mantine/core'
import { Status } from '#web/ui/controls/Status.tsx'

/** Beside the buttons of a form: a save was refused, and the wrong field may be out of sight. */
export function NotSaved({ onShow }: { onShow: () => void }) {
  return (
    <>
      <Status tone="bad" mark="alert">
        Not saved
      </Status>
      <Button variant="subtle" size="compact-sm" onClick={onShow}>
        Show why
      </Button>
    </>
  )
}
