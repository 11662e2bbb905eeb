import { IconChevronRight, IconDeviceMobile, IconKey, IconMail } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import {
  type OtpType,
  type OtpChannel,
  secondFactor,
} from '#contract/identity/second-factor/second-factor.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { FormAlert } from '../sign-in/FormAlert.tsx'
import { OtpForm } from './OtpForm.tsx'
import { ResendCode } from './ResendCode.tsx'

const sendOtp = send(secondFactor.sendOtp)
/** Few users ever see it. */
const SetUpFactor = lazy(async () => ({ default: (await import('./SetUpFactor.tsx')).SetUpFactor }))
const ICONS = { email: IconMail, authenticator: IconDeviceMobile, backup: IconKey, setup: IconDeviceMobile }

/**
 * The verification channels, then the code of the chosen one. An authenticator code is asked for right away;
 * an email goes out only on request, so that opening the page twice doesn't use up two.
 */
export function VerifyLogin() {
  const session = useSessionOwner()
  const channels = useQuery(query(secondFactor.getOtpList, {}))
  const [chosen, setChosen] = useState<OtpType | 'none' | null>(null)
  const sending = useMutation({
    mutationFn: sendOtp,
    onSuccess: () => setChosen('email'),
    // No more can be emailed now, but the latest code may still be valid.
    onError: ({ status }) => (status === 429 ? setChosen('email') : undefined),
  })

  const all = channels.data ?? []
  const [best] = all
  const fallback = best === undefined || best.type === 'email' ? undefined : best
  const channel = chosen === null ? fallback : all.find(({ type }) => type === chosen)

  const choose = ({ type }: OtpChannel) => {
    sending.reset()
    if (type === 'email') sending.mutate({ type })
    else setChosen(type)
  }
  const leave = (
    <button type="button" className="fc-link-button" onClick={() => void session.logout()}>
      Back to sign in
    </button>
  )

  if (channels.isPending) {
    return (
      <output className="fc-verify-wait" aria-label="Loading verification methods">
        Loading verification methods…
      </output>
    )
  }
  if (channels.error) {
    return (
      <div className="fc-verify">
        <FormAlert message={channels.error.message} />
        <button type="button" className="fc-sign-in-button" onClick={() => void channels.refetch()}>
          Try again
        </button>
        {leave}
      </div>
    )
  }
  if (best === undefined) {
    return (
      <div className="fc-verify">
        <FormAlert message="There's nothing left to verify. Sign in again." />
        {leave}
      </div>
    )
  }
  if (best.type === 'setup') {
    return (
      <div className="fc-verify">
        <Suspense>
          <SetUpFactor />
        </Suspense>
      </div>
    )
  }
  if (channel !== undefined) {
    return (
      <div className="fc-verify">
        <OtpForm key={channel.type} channel={channel} />
        {channel.type === 'email' && (
          <ResendCode
            sentAt={sending.submittedAt}
            isSending={sending.isPending}
            sent={sending.data ?? null}
            failure={sending.error}
            onSend={() => sending.mutate({ type: 'email' })}
          />
        )}
        {all.length > 1 && (
          <button type="button" className="fc-link-button" onClick={() => setChosen('none')}>
            Try another method
          </button>
        )}
        {leave}
      </div>
    )
  }
  return (
    <div className="fc-verify">
      <FormAlert message={sending.error?.message ?? null} />
      <ChannelList channels={all} isBusy={sending.isPending} onChoose={choose} />
      {leave}
    </div>
  )
}

const ABOUT = {
  email: "We'll email you a 6-digit code",
  authenticator: 'Enter the 6-digit code from your app',
  backup: 'Enter one of the codes you saved',
  setup: 'Scan a QR code with your phone',
}

type ChannelListProps = {
  channels: readonly OtpChannel[]
  isBusy: boolean
  onChoose: (channel: OtpChannel) => void
}

function ChannelList({ channels, isBusy, onChoose }: ChannelListProps) {
  return (
    <ul className="fc-otp-channels">
      {channels.map((one) => {
        const Icon = ICONS[one.type]
        return (
          <li key={one.type}>
            <button type="button" aria-disabled={isBusy} onClick={() => onChoose(one)}>
              <Icon size={20} stroke={1.6} aria-hidden="true" />
              <span className="fc-grow">
                <bdi>{one.label}</bdi>
                <span className="fc-otp-channel-about">{ABOUT[one.type]}</span>
              </span>
              <IconChevronRight size={16} className="fc-flip" aria-hidden="true" />
            </button>
          </li>
        )
      })}
    </ul>
  )
}
