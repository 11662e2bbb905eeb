import { useMutation } from '@tanstack/react-query'
import { isSentTo } from '#contract/inventory/feeds/sources/feed-source-list.ts'
import { type FeedSource, feedSources } from '#contract/inventory/feeds/sources/feed-sources.ts'
import { send } from '#web/api/query.ts'
import { CopyLink } from '#web/mail/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'

const renew = send(feedSources.renewToken)
const forget = send(feedSources.forgetHostKey)

type Props = {
  source: FeedSource
  /** Why nothing may be done here now, as a sentence; null where it may. */
  lock: string | null
  onKept: (source: FeedSource) => void
}

/** Where files of a source are sent, or which key its SFTP server showed. */
export function SourceAddress({ source, lock, onKept }: Props) {
  const onError = (failure: Parameters<typeof showError>[0]) => showError(failure)
  const forgetting = useMutation({
    mutationFn: forget,
    onError,
    onSuccess: (kept) => {
      toast('Key forgotten', 'The next time takes the key that the server shows then.')
      onKept(kept)
    },
  })
  if (isSentTo(source.kind)) return <SentTo source={source} lock={lock} />
  if (source.hostKey === null) return null
  return (
    <div className="fc-form-section fc-source-address">
      <p className="fc-small">
        Key of the server: <bdi className="fc-host-key">{source.hostKey}</bdi>
      </p>
      <p className="fc-small fc-faint">
        It was shown the first time. A server with another key is not trusted.
      </p>
      <Action
        for={feedSources.forgetHostKey}
        variant="default"
        lock={lock}
        loading={forgetting.isPending}
        onClick={() => forgetting.mutate({ id: source.id })}
      >
        Forget key
      </Action>
    </div>
  )
}

/** The address is there as long as nobody closes the drawer: it is kept nowhere. */
function SentTo({ source: { id, kind, hasToken }, lock }: { source: FeedSource; lock: string | null }) {
  const renewing = useMutation({ mutationFn: renew, onError: (failure) => showError(failure) })
  const path = renewing.data?.path
  const isThere = hasToken || path !== undefined
  async function make() {
    const isSure =
      !isThere ||
      (await ask({
        title: 'Another address?',
        text: 'The present address answers nothing from then on. Whoever sends files there needs the new one.',
        confirm: 'Make another address',
        isDestructive: true,
      }))
    if (isSure) renewing.mutate({ id })
  }
  return (
    <div className="fc-form-section fc-source-address">
      {path !== undefined && (
        <>
          <CopyLink
            label="Address to send to"
            verb="Copy address"
            link={`${window.location.origin}${path}`}
          />
          <p className="fc-small">
            Copy it now: it is shown this once. {kind === 'api' ? WITH_CURL : WITH_POSTMARK}
          </p>
        </>
      )}
      {path === undefined && (
        <p className="fc-small fc-faint">
          {hasToken
            ? 'Files can be sent to its address. It was shown when it was made; nobody can see it again.'
            : 'It has no address yet: nothing can be sent to it.'}
        </p>
      )}
      <Action
        for={feedSources.renewToken}
        variant="default"
        lock={lock}
        loading={renewing.isPending}
        onClick={() => void make()}
      >
        {isThere ? 'Make another address' : 'Make an address'}
      </Action>
    </div>
  )
}

const WITH_CURL = 'A program sends the file by POST, as the body or as a form; the answer is 202.'
const WITH_POSTMARK = 'In Postmark it is the inbound webhook of a server.'
