import { type InboundAddress, inboundAddresses } from '#contract/leads/inbound/inbound-addresses.ts'
import { SAMPLE_ADF } from '#contract/leads/inbound/sample-adf.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { CopyLink } from '#web/mail/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { sampleCommand } from './inbound-labels.ts'
import { SourceText } from './SourceText.tsx'

const renewUrls = send(inboundAddresses.renewUrls)
const revokeUrls = send(inboundAddresses.revoke)

/** The URLs of an address. They are shown until the drawer is closed, because they are never stored. */
export function AddressUrls({ address: { id, label, tokenAt } }: { address: InboundAddress }) {
  const renewing = useMutation({ mutationFn: renewUrls, onError: (failure) => showError(failure) })
  const revoking = useMutation({
    mutationFn: revokeUrls,
    onSuccess: () => {
      renewing.reset()
      toast('URLs revoked', label)
    },
    onError: (failure) => showError(failure),
  })
  const since = revoking.data === undefined ? tokenAt : revoking.data.tokenAt
  const hasUrls = renewing.data !== undefined || since !== null
  async function renew() {
    const isSure =
      !hasUrls ||
      (await ask({
        title: 'Replace the URLs?',
        text: 'The current URLs stop working immediately. Give the new URLs to everyone who sends leads.',
        confirm: 'Replace URLs',
        isDestructive: true,
      }))
    if (!isSure) return
    revoking.reset()
    renewing.mutate({ id })
  }
  async function revoke() {
    const isSure = await ask({
      title: 'Revoke the URLs?',
      text: 'Leads sent to them will be rejected. The address and its messages are kept.',
      confirm: 'Revoke URLs',
      isDestructive: true,
    })
    if (isSure) revoking.mutate({ id })
  }
  return (
    <section className="fc-form-section fc-inbound-urls" aria-labelledby="inbound-urls">
      <h3 id="inbound-urls">URLs</h3>
      {renewing.data && <NewUrls {...renewing.data} />}
      {!renewing.data && (
        <p className="fc-small fc-soft">
          {since === null
            ? 'No URLs yet. Create them, and give one to the lead provider.'
            : `Created ${formatDay(since)}. They were shown then and can't be shown again.`}
        </p>
      )}
      <div className="fc-row">
        <Action
          for={inboundAddresses.renewUrls}
          variant="default"
          loading={renewing.isPending}
          onClick={() => void renew()}
        >
          {hasUrls ? 'Replace URLs' : 'Create URLs'}
        </Action>
        {hasUrls && (
          <Action
            for={inboundAddresses.revoke}
            variant="subtle"
            className="fc-quiet-danger"
            loading={revoking.isPending}
            onClick={() => void revoke()}
          >
            Revoke URLs
          </Action>
        )}
      </div>
      <ProviderHelp />
    </section>
  )
}

function NewUrls({ adfPath, mailPath }: { adfPath: string; mailPath: string }) {
  const { origin } = window.location
  return (
    <>
      <p className="fc-small">Copy them now. You won't be able to see them again.</p>
      <CopyLink label="ADF URL" verb="Copy ADF URL" link={`${origin}${adfPath}`} />
      <CopyLink label="Email URL (Postmark)" verb="Copy email URL" link={`${origin}${mailPath}`} />
      <CopyLink
        label="Command that sends the file lead.xml as a test"
        verb="Copy command"
        link={sampleCommand(`${origin}${adfPath}`)}
      />
    </>
  )
}

function ProviderHelp() {
  return (
    <details>
      <summary>What to tell the lead provider</summary>
      <ul className="fc-small fc-inbound-help">
        <li>
          Send each lead as ADF 1.0 with a POST request to the ADF URL: as the body, in a field of a form, or
          in a property of a JSON object. At most 1 MB.
        </li>
        <li>
          200 means received; the response names the leads and lists warnings. The same document within a day,
          or a lead with the same ID, counts once, so sending again is safe.
        </li>
        <li>
          422 means that the document can't be read; the response says why. Correct it and send it again.
        </li>
        <li>429 means too many at once; wait as long as the Retry-After header says.</li>
        <li>
          Add <code>?test=1</code> to the ADF URL for a test lead, which isn't counted anywhere.
        </li>
        <li>
          For leads by email: in Postmark, enter the email URL as the inbound webhook of a server, and give
          the provider the server's inbound email address. ADF in the text or in an attachment is read; any
          other email becomes a lead as it is.
        </li>
      </ul>
      <p className="fc-small">A complete document:</p>
      <SourceText label="Sample document">{SAMPLE_ADF}</SourceText>
    </details>
  )
}
