import { DialogStand } from '#web/ui/DialogStand.tsx'
import { Toasts } from '#web/ui/Toasts.tsx'
import { UndoBar } from '#web/ui/undo.tsx'

/** What may stand over a page: dialogs, toasts, the undo bar. The first page does not wait for them. */
export function Overlays() {
  return (
    <>
      <DialogStand />
      <Toasts />
      <UndoBar />
    </>
  )
}
