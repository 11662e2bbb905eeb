import { DialogStand } from '#web/ui/DialogStand.tsx'
import { Toasts } from '#web/ui/Toasts.tsx'
import { UndoBar } from '#web/ui/undo.tsx'
import { WorkNotices } from '#web/ui/work/WorkNotices.tsx'

/** What may stand over a page: dialogs, toasts, work that goes on, the undo bar. The first page does not wait for them. */
export function Overlays() {
  return (
    <>
      <DialogStand />
      <Toasts />
      <div className="fc-foot-stack">
        <WorkNotices />
        <UndoBar />
      </div>
    </>
  )
}
