import { Button, Modal } from '@mantine/core'
import { useMutation } from '#web/api/mutation.ts'
import { useSession, useSessionOwner } from '#web/session/use-session.ts'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'

/** Above drawers and their dialogs. */
const TOP_Z_INDEX = 500

/** Covers a page with unsaved changes after its user switched to another organization in another tab. */
export function SwitchedDialog({ switchedTo }: { switchedTo: string }) {
  const session = useSessionOwner()
  const { claims } = useSession()
  const returning = useMutation({ mutationFn: () => session.returnToOrganization() })
  return (
    <Modal
      opened
      onClose={() => {}}
      title={<bdi>You switched to {switchedTo} in another tab</bdi>}
      zIndex={TOP_Z_INDEX}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      transitionProps={MODAL_TRANSITION}
    >
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
    </Modal>
  )
}
