import { type DomainWhiteLabel, whiteLabels } from '#contract/identity/branding/white-labels.ts'
import { useMutation } from '#web/api/mutation.ts'
import { send } from '#web/api/query.ts'
import { CopyLink } from '#web/mail/index.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { showError } from '#web/ui/overlay/dialogs.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { DomainStatus } from './DomainStatus.tsx'

const verifyDomain = send(whiteLabels.verify)

const ABOUT = {
  TXT: 'Proves that you own the domain.',
  CNAME: "Points the domain here. For a root domain, use your DNS provider's ALIAS or A record.",
}

type Props = {
  label: DomainWhiteLabel
  isChanged: boolean
  onVerified: (label: DomainWhiteLabel) => void
}

/** Verification status of the domain, the DNS records to add, and a button to check them. */
export function DomainProof({ label, isChanged, onVerified }: Props) {
  const verifying = useMutation({
    mutationFn: verifyDomain,
    onSuccess: ({ whiteLabel }) => {
      if (whiteLabel.verifiedAt !== null) onVerified(whiteLabel)
    },
    onError: (failure) => showError(failure),
  })
  const isWaiting = label.verifiedAt === null
  return (
    <section className="fc-brand-proof" aria-label="DNS records">
      <div className="fc-row fc-wrap">
        <DomainStatus of={label} />
        <span className="fc-small fc-faint fc-grow">
          <bdi>
            {label.verifiedAt === null
              ? "Until it's verified, the branding isn't shown and emails don't link to it."
              : `Since ${formatDay(label.verifiedAt)}.`}
          </bdi>
        </span>
        {isWaiting && (
          <Action
            for={whiteLabels.verify}
            variant="default"
            lock={isChanged ? 'Save your changes first.' : null}
            loading={verifying.isPending}
            onClick={() => verifying.mutate({ id: label.id })}
          >
            Check record
          </Action>
        )}
      </div>
      <output className="fc-small">{verifying.data && <bdi>{verifying.data.message}</bdi>}</output>
      {label.records
        .filter(({ type }) => isWaiting || type === 'CNAME')
        .map(({ type, name, value }) => (
          <div key={type} className="fc-brand-record">
            <p className="fc-small">
              <b>{type}</b> <bdi>{ABOUT[type]}</bdi>
            </p>
            <CopyLink label={`${type} name`} link={name} verb="Copy name" />
            <CopyLink label={`${type} value`} link={value} verb="Copy value" />
          </div>
        ))}
    </section>
  )
}
