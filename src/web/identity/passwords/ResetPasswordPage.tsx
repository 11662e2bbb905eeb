import { Link, useLocation } from '@tanstack/react-router'
import { Suspense, use, useState } from 'react'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { AuthLayout } from '../sign-in/AuthLayout.tsx'
import { FormAlert } from '../sign-in/FormAlert.tsx'
import { ResetPasswordForm } from './ResetPasswordForm.tsx'
import { call } from '#web/api/client.ts'
import { CallFailure } from '#web/api/failure.ts'

/** Target of the link in a password email. Its secret is in the fragment: `/auth/reset-password#word`. */
export function ResetPasswordPage() {
  const { hash } = useLocation()
  return <LinkPage key={hash} word={hash} />
}

function LinkPage({ word }: { word: string }) {
  const [check, setCheck] = useState(() => checkLink(word))
  return (
    <Suspense
      fallback={
        <AuthLayout title="Reset Password" about="One moment.">
          <Spinner label="Checking the link" />
        </AuthLayout>
      }
    >
      <CheckedLink check={check} word={word} onRetry={() => setCheck(checkLink(word))} />
    </Suspense>
  )
}

type Props = { check: Promise<LinkCheck>; word: string; onRetry: () => void }

function CheckedLink({ check, word, onRetry }: Props) {
  const found = use(check)
  if (found.kind === 'failed') {
    return (
      <AuthLayout title="Reset Password" about="We couldn't check the link.">
        <FormAlert message={found.message} />
        <p className="fc-sign-in-way">
          <button type="button" className="fc-sign-in-button" onClick={onRetry}>
            Try again
          </button>
        </p>
      </AuthLayout>
    )
  }
  if (found.kind === 'dead') {
    return (
      <AuthLayout
        title="This link no longer works"
        about="It was already used, replaced by a newer link, or has expired. Request a new one."
      >
        <p className="fc-sign-in-way">
          <Link to="/auth/forgot-password" className="fc-sign-in-button">
            Request a new link
          </Link>
        </p>
        <p className="fc-sign-in-way">
          <Link to="/auth/signin">Back to sign in</Link>
        </p>
      </AuthLayout>
    )
  }
  const isFirst = found.purpose === 'first'
  return (
    <AuthLayout
      title={isFirst ? `Welcome, ${found.firstName}` : `Hello, ${found.firstName}`}
      about={
        <>
          {isFirst ? 'Choose a password' : 'Choose a new password'} for the user name{' '}
          <bdi>{found.userName}</bdi>.
        </>
      }
    >
      <ResetPasswordForm word={word} userName={found.userName} />
      <p className="fc-sign-in-way">
        <Link to="/auth/signin">Back to sign in</Link>
      </p>
    </AuthLayout>
  )
}

/** `dead`: the link was used, replaced or has expired. `failed`: the check itself failed. */
type LinkCheck =
  | { kind: 'good'; userName: string; firstName: string; purpose: 'first' | 'reset' }
  | { kind: 'dead' }
  | { kind: 'failed'; message: string }

/** Checks an emailed link without using it up. */
async function checkLink(word: string): Promise<LinkCheck> {
  if (word === '') return { kind: 'dead' }
  try {
    const { auth } = await import('#contract/identity/auth.ts')
    return { kind: 'good', ...(await call(auth.checkReset, { resetValue: word })) }
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error
    return error.status === 400 ? { kind: 'dead' } : { kind: 'failed', message: error.message }
  }
}
