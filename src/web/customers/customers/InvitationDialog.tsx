import { Modal } from '@mantine/core'
import type { OpenMail } from '#contract/mail/outbox/outbox.ts'
import { MODAL_TRANSITION } from '#web/ui/overlay/dialogs.tsx'
import { MailText } from '#web/mail/index.ts'

/** The latest email to an administrator with its link, to share if the email doesn't arrive. */
export function InvitationDialog({ mail, onClose }: { mail: OpenMail; onClose: () => void }) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={mail.subject}
      size={560}
      closeButtonProps={{ 'aria-label': 'Close' }}
      transitionProps={MODAL_TRANSITION}
    >
      <p className="fc-small fc-soft fc-dialog-lead">
        To{' '}
        <bdi>
          {mail.toName}, {mail.toEmail}
        </bdi>
        . Anyone with this link can set the password, so share it only with them. Your access is recorded in
        the audit log.
      </p>
      <MailText mail={mail} />
    </Modal>
  )
}
