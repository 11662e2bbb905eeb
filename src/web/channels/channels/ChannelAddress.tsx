import { type Channel, channels } from '#contract/channels/channels/channels.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { CopyLink } from '#web/mail/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'

const renew = send(channels.renewAddress)
const forget = send(channels.forgetHostKey)

type Props = {
  channel: Channel
  /** The form has unsaved changes, which reloading the channel would discard. */
  isChanged: boolean
  onKept: (channel: Channel) => void
}

/** The download link of a channel, or the saved host key of its SFTP server. */
export function ChannelAddress({ channel, isChanged, onKept }: Props) {
  const lock = isChanged ? 'Save your changes first. Otherwise they would be lost.' : null
  const { id, destination, feedPath, feedOrigin, hostKey } = channel
  const onError = (failure: Parameters<typeof showError>[0]) => showError(failure)
  const renewing = useMutation({
    mutationFn: renew,
    onError,
    onSuccess: (kept) => {
      toast('Download link replaced', kept.name)
      onKept(kept)
    },
  })
  const forgetting = useMutation({
    mutationFn: forget,
    onError,
    onSuccess: (kept) => {
      toast('Host key removed', 'The next run saves the key that the server presents.')
      onKept(kept)
    },
  })
  async function confirmRenewal() {
    const isSure = await ask({
      title: 'Replace the download link?',
      text: 'The current link stops working immediately. Anyone who downloads the file needs the new link.',
      confirm: 'Replace link',
      isDestructive: true,
    })
    if (isSure) renewing.mutate({ id })
  }
  if (destination === 'pull' && feedPath !== null) {
    return (
      <div className="fc-wide fc-form-section fc-channel-address">
        <CopyLink
          label="Download link"
          verb="Copy link"
          link={`${feedOrigin ?? window.location.origin}${feedPath}`}
        />
        <p className="fc-small fc-faint">Anyone with this link can download the file.</p>
        <Action
          for={channels.renewAddress}
          variant="default"
          lock={lock}
          loading={renewing.isPending}
          onClick={() => void confirmRenewal()}
        >
          Replace link
        </Action>
      </div>
    )
  }
  if (destination !== 'sftp' || hostKey === null) return null
  return (
    <div className="fc-wide fc-form-section fc-channel-address">
      <p className="fc-small">
        Host key: <bdi className="fc-host-key">{hostKey}</bdi>
      </p>
      <p className="fc-small fc-faint">
        Saved at the first connection. Nothing is sent to a server with a different key.
      </p>
      <Action
        for={channels.forgetHostKey}
        variant="default"
        lock={lock}
        loading={forgetting.isPending}
        onClick={() => forgetting.mutate({ id })}
      >
        Remove host key
      </Action>
    </div>
  )
}
