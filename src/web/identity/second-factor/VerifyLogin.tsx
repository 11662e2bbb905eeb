import { IconChevronRight, IconDeviceMobile, IconKey, IconMail } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  type OtpType,
  type OtpChannel,
  secondFactor,
} from '#contract/identity/second-factor/second-factor.ts'
import { query, send } from '#web/api/query.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import { FormAlert } from '../sign-in/FormAlert.tsx'
import { OtpForm } from './OtpForm.tsx'
import { ResendCode } from './ResendCode.tsx'

const sendOtp = send(secondFactor.sendOtp)
const ICONS = { email: IconMail, authenticator: IconDeviceMobile, backup: IconKey }

/**
 * The ways to prove who one is, then the code of one of them. An app's code is asked for at once; a mail goes out only
 * when somebody asks for it, so that opening the page twice does not use up two.
 */
export function VerifyLogin() {
  const session = useSessionOwner()
  const ways = useQuery(query(secondFactor.getOtpList, {}))
  const [chosen, setChosen] = useState<OtpType | 'none' | null>(null)
  const sending = useMutation({ mutationFn: sendOtp, onSuccess: () => setChosen('email') })

  const all = ways.data ?? []
  const [best] = all
  const fallback = best === undefined || best.type === 'email' ? undefined : best
  const way = chosen === null ? fallback : all.find(({ type }) => type === chosen)

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

  if (ways.isPending) {
    return (
      <output className="fc-verify-wait" aria-label="Loading the ways to verify">
        Looking up your ways to verify…
      </output>
    )
  }
  if (ways.error) {
    return (
      <div className="fc-verify">
        <FormAlert message={ways.error.message} />
        <button type="button" className="fc-sign-in-button" onClick={() => void ways.refetch()}>
          Try again
        </button>
        {leave}
      </div>
    )
  }
  if (best === undefined) {
    return (
      <div className="fc-verify">
        <FormAlert message="There is nothing to verify any more. Sign in again." />
        {leave}
      </div>
    )
  }
  if (way !== undefined) {
    return (
      <div className="fc-verify">
        <OtpForm key={way.type} way={way} />
        {way.type === 'email' && (
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
            Use another way
          </button>
        )}
        {leave}
      </div>
    )
  }
  return (
    <div className="fc-verify">
      <FormAlert message={sending.error?.message ?? null} />
      <ul className="fc-ways">
        {all.map((one) => {
          const Icon = ICONS[one.type]
          return (
            <li key={one.type}>
              <button type="button" aria-disabled={sending.isPending} onClick={() => choose(one)}>
                <Icon size={20} stroke={1.6} aria-hidden="true" />
                <span className="fc-grow">
                  <bdi>{one.label}</bdi>
                  <span className="fc-way-about">{ABOUT[one.type]}</span>
                </span>
                <IconChevronRight size={16} className="fc-flip" aria-hidden="true" />
              </button>
            </li>
          )
        })}
      </ul>
      {leave}
    </div>
  )
}

const ABOUT = {
  email: 'We mail you a code of 6 digits',
  authenticator: 'Type the 6 digits that your app shows',
  backup: 'Type one of the codes you kept',
}
