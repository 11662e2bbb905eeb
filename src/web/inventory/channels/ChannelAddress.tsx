import { useMutation } from '@tanstack/react-query'
import { type Channel, channels } from '#contract/inventory/channels/channels.ts'
import { send } from '#web/api/query.ts'
import { CopyLink } from '#web/mail/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'

const renew = send(channels.renewAddress)
const forget = send(channels.forgetHostKey)

type Props = {
  channel: Channel
  /** The form beside it holds what nobody saved yet, and would lose it. */
  isChanged: boolean
  onKept: (channel: Channel) => void
}

/** Where the file of a channel is fetched, or which key its SFTP server showed. */
export function ChannelAddress({ channel, isChanged, onKept }: Props) {
  const lock = isChanged ? 'Save first: what you changed would be lost.' : null
  const { id, destination, feedPath, feedOrigin, hostKey } = channel
  const onError = (failure: Parameters<typeof showError>[0]) => showError(failure)
  const renewing = useMutation({
    mutationFn: renew,
    onError,
    onSuccess: (kept) => {
      toast('The channel has another address', kept.name)
      onKept(kept)
    },
  })
  const forgetting = useMutation({
    mutationFn: forget,
    onError,
    onSuccess: (kept) => {
      toast('Key forgotten', 'The next run takes the key that the server shows then.')
      onKept(kept)
    },
  })
  async function confirmRenewal() {
    const isSure = await ask({
      title: 'Another address?',
      text: 'The present address answers nothing from then on. Whoever fetches the file there needs the new one.',
      confirm: 'Renew address',
      isDestructive: true,
    })
    if (isSure) renewing.mutate({ id })
  }
  if (destination === 'pull' && feedPath !== null) {
    return (
      <div className="fc-wide fc-form-section fc-channel-address">
        <CopyLink
          label="Address of the file"
          verb="Copy address"
          link={`${feedOrigin ?? window.location.origin}${feedPath}`}
        />
        <p className="fc-small fc-faint">Whoever knows it can fetch the file, without signing in.</p>
        <Action
          for={channels.renewAddress}
          variant="default"
          lock={lock}
          loading={renewing.isPending}
          onClick={() => void confirmRenewal()}
        >
          Renew address
        </Action>
      </div>
    )
  }
  if (destination !== 'sftp' || hostKey === null) return null
  return (
    <div className="fc-wide fc-form-section fc-channel-address">
      <p className="fc-small">
        Key of the server: <bdi className="fc-host-key">{hostKey}</bdi>
      </p>
      <p className="fc-small fc-faint">
        It was shown at the first run. A server with another key gets nothing.
      </p>
      <Action
        for={channels.forgetHostKey}
        variant="default"
        lock={lock}
        loading={forgetting.isPending}
        onClick={() => forgetting.mutate({ id })}
      >
        Forget key
      </Action>
    </div>
  )
}
