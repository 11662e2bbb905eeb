import { lazy, Suspense } from 'react'
import { useSession } from '#web/session/use-session.ts'
import { ModalHost } from '#web/ui/overlay/ModalHost.tsx'
import { Toasts } from '#web/ui/feedback/Toasts.tsx'
import { UndoBar } from '#web/ui/feedback/undo.tsx'
import { TaskNotices } from '#web/ui/tasks/TaskNotices.tsx'

const ReauthenticateDialog = lazy(async () => ({
  default: (await import('../reauthenticate/ReauthenticateDialog.tsx')).ReauthenticateDialog,
}))

const SwitchedDialog = lazy(async () => ({
  default: (await import('../reauthenticate/SwitchedDialog.tsx')).SwitchedDialog,
}))

/** Overlays: dialogs, toasts, background tasks, the undo bar. The first page doesn't wait for them. */
export function Overlays() {
  const { isInterrupted, switchedTo } = useSession()
  return (
    <>
      <ModalHost />
      <Toasts />
      {isInterrupted && (
        <Suspense>
          <ReauthenticateDialog />
        </Suspense>
      )}
      {switchedTo !== null && (
        <Suspense>
          <SwitchedDialog switchedTo={switchedTo} />
        </Suspense>
      )}
      <div className="fc-foot-stack">
        <TaskNotices />
        <UndoBar />
      </div>
    </>
  )
}
