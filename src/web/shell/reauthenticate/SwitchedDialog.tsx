import { Button } from '@mantine/core'
import { useMutation } from '#web/api/mutation.ts'
import { useSession, useSessionOwner } from '#web/session/use-session.ts'
import { AnswerDialog } from '#web/ui/overlay/AnswerDialog.tsx'

/** Above drawers and their dialogs. */
const TOP_Z_INDEX = 500

/** Covers a page with unsaved changes after its user switched to another organization in another tab. */
export function SwitchedDialog({ switchedTo }: { switchedTo: string }) {
  const session = useSessionOwner()
  const { claims } = useSession()
  const returning = useMutation({ mutationFn: () => session.returnToOrganization() })
  return (
    <AnswerDialog title={<bdi>You switched to {switchedTo} in another tab</bdi>} zIndex={TOP_Z_INDEX}>
      <p>
        <bdi>
          This page has unsaved changes in {claims?.organizationName}. Return there to save them, or continue
          in {switchedTo}: then what you typed stays on this device, and is offered when you open this page
          again.
        </bdi>
      </p>
      {returning.error && <p role="alert">{returning.error.message}</p>}
      <div className="fc-buttons">
        <Button variant="default" onClick={() => session.followSwitch()}>
          <bdi>Continue in {switchedTo}</bdi>
        </Button>
        <Button loading={returning.isPending} onClick={() => returning.mutate()}>
          <bdi>Return to {claims?.organizationName}</bdi>
        </Button>
      </div>
    </AnswerDialog>
  )
}
