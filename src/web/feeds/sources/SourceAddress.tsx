import { isSentTo } from '#contract/feeds/sources/feed-source-list.ts'
import { type FeedSource, feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { CopyLink } from '#web/mail/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'

const renew = send(feedSources.renewToken)
const forget = send(feedSources.forgetHostKey)

type Props = {
  source: FeedSource
  /** Why the actions are disabled; null if they are enabled. */
  lock: string | null
  onKept: (source: FeedSource) => void
}

/** The URL that a source's files are sent to, or the host key of its SFTP server. */
export function SourceAddress({ source, lock, onKept }: Props) {
  const onError = (failure: Parameters<typeof showError>[0]) => showError(failure)
  const forgetting = useMutation({
    mutationFn: forget,
    onError,
    onSuccess: (kept) => {
      toast('Host key forgotten', 'The next key that the server presents will be trusted.')
      onKept(kept)
    },
  })
  if (isSentTo(source.kind)) return <SentTo source={source} lock={lock} />
  if (source.hostKey === null) return null
  return (
    <div className="fc-form-section fc-source-address">
      <p className="fc-small">
        Host key: <bdi className="fc-host-key">{source.hostKey}</bdi>
      </p>
      <p className="fc-small fc-faint">
        Saved on the first connection. A server with a different key is rejected.
      </p>
      <Action
        for={feedSources.forgetHostKey}
        variant="default"
        lock={lock}
        loading={forgetting.isPending}
        onClick={() => forgetting.mutate({ id: source.id })}
      >
        Forget host key
      </Action>
    </div>
  )
}

/** The URL is only available until the drawer is closed, because it is never stored. */
function SentTo({ source: { id, kind, hasToken }, lock }: { source: FeedSource; lock: string | null }) {
  const renewing = useMutation({ mutationFn: renew, onError: (failure) => showError(failure) })
  const path = renewing.data?.path
  const hasUrl = hasToken || path !== undefined
  async function generate() {
    const isSure =
      !hasUrl ||
      (await ask({
        title: 'Replace the URL?',
        text: 'The current URL stops working immediately. Give the new one to everyone who sends files to it.',
        confirm: 'Generate new URL',
        isDestructive: true,
      }))
    if (isSure) renewing.mutate({ id })
  }
  return (
    <div className="fc-form-section fc-source-address">
      {path !== undefined && (
        <>
          <CopyLink label="Upload URL" verb="Copy URL" link={`${window.location.origin}${path}`} />
          <p className="fc-small">
            Copy it now. You won't be able to see it again. {kind === 'api' ? WITH_CURL : WITH_POSTMARK}
          </p>
        </>
      )}
      {path === undefined && (
        <p className="fc-small fc-faint">
          {hasToken
            ? "Files can be sent to this source's URL. The URL was shown when it was generated and can't be shown again."
            : 'No URL yet. Generate one to receive files.'}
        </p>
      )}
      <Action
        for={feedSources.renewToken}
        variant="default"
        lock={lock}
        loading={renewing.isPending}
        onClick={() => void generate()}
      >
        {hasUrl ? 'Generate new URL' : 'Generate URL'}
      </Action>
    </div>
  )
}

const WITH_CURL = 'Send the file with a POST request, as the body or as form data. The response is 202.'
const WITH_POSTMARK = 'In Postmark, enter it as the inbound webhook of a server.'
