import type { LeadDestination } from '#contract/leads/deliveries/lead-destinations.ts'
import { leadDestinations } from '#contract/leads/deliveries/lead-destinations.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { CopyLink } from '#web/mail/CopyLink.tsx'
import { ask, showError, showNotice } from '#web/ui/overlay/dialogs.tsx'

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const newSecret = send(leadDestinations.secret)

/** Makes a signing secret for a webhook and shows it, once. */
export async function showNewSecret({ id, name }: Pick<LeadDestination, 'id' | 'name'>): Promise<void> {
  try {
    const { secret, formerUntil } = await newSecret({ id, rotate: true })
    showNotice(
      `Signing secret of ${name}`,
      <div className="fc-dialog-form">
        <p>
          <bdi>
            Copy it into the receiving system now. It isn't shown again. Every call is signed with it, so that
            the receiver can check that the call comes from you.
          </bdi>
        </p>
        <CopyLink link={secret} label="Signing secret" verb="Copy secret" />
      </div>,
    )
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    showError(failure, "The signing secret wasn't made")
  }
}

/** Asks before the present secret is replaced. */
export async function confirmNewSecret(webhook: Pick<LeadDestination, 'id' | 'name'>): Promise<void> {
  const isSure = await ask({
    title: `Replace the signing secret of ${webhook.name}?`,
    text: 'For 24 hours, calls are signed with both secrets, so that the receiving system can change without losing leads. After that, only the new one counts.',
    confirm: 'Replace secret',
  })
  if (isSure) await showNewSecret(webhook)
}
