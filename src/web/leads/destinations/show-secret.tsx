import { type LeadDestination, leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { CallFailure } from '#web/api/failure.ts'
import { send } from '#web/api/query.ts'
import { CopyLink } from '#web/mail/index.ts'
import { ask, showError, showNotice } from '#web/ui/overlay/dialogs.tsx'

const exactly = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const readSecret = send(leadDestinations.secret)

type Webhook = Pick<LeadDestination, 'id' | 'name'>

/** Shows the signing secret of a webhook, once: the first one, or with `rotate` a new one. */
export async function showSecret({ id, name }: Webhook, { rotate }: { rotate: boolean }): Promise<void> {
  try {
    const { secret, formerUntil } = await readSecret({ id, rotate })
    showNotice(
      `Signing secret of ${name}`,
      <div className="fc-dialog-form">
        <p>
          <bdi>
            Copy it into the receiving system now. It isn't shown again. Every call is signed with it, so that
            the receiver can check that the call comes from you.
            {formerUntil !== null &&
              ` Until ${exactly.format(new Date(formerUntil))}, calls are also signed with the previous secret.`}
          </bdi>
        </p>
        <CopyLink link={secret} label="Signing secret" verb="Copy secret" />
      </div>,
    )
  } catch (failure) {
    if (!(failure instanceof CallFailure)) throw failure
    showError(failure, "Couldn't show the signing secret")
  }
}

/** Asks before the present secret is replaced. */
export async function confirmNewSecret(webhook: Webhook): Promise<void> {
  const isSure = await ask({
    title: `Replace the signing secret of ${webhook.name}?`,
    text: 'For 24 hours, calls are signed with both secrets, so that the receiving system can change without losing leads. After that, only the new one counts.',
    confirm: 'Replace secret',
  })
  if (isSure) await showSecret(webhook, { rotate: true })
}
