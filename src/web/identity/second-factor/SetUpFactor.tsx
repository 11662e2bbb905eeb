import { Button } from '@mantine/core'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { useMutation } from '#web/api/mutation.ts'
import { queryClient, send } from '#web/api/query.ts'
import { afterSignIn } from '#web/session/guard.ts'
import { isRemembered } from '#web/session/store.ts'
import { readClaims } from '#web/session/token.ts'
import { useSessionOwner } from '#web/session/use-session.ts'
import '#web/ui/controls/controls.css'
import { FormAlert } from '../sign-in/FormAlert.tsx'
import { BackupCodesView } from './BackupCodesView.tsx'
import { ConfirmCode } from './ConfirmCode.tsx'
import './security.css'

const route = getRouteApi('/auth/verify-login')
const begin = send(secondFactor.beginSetup)
const finish = send(secondFactor.finishSetup)

/** The first sign-in with a required second factor, if no codes can be emailed: an authenticator app comes before anything else. */
export function SetUpFactor() {
  const session = useSessionOwner()
  const router = useRouter()
  const { next } = route.useSearch()
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const beginning = useMutation({ mutationFn: begin })
  const leave = () => void session.logout()
  const enter = () => {
    // What is cached belongs to the unverified session.
    queryClient.clear()
    void router.navigate({ href: afterSignIn(readClaims(session.accessToken ?? ''), next) })
  }

  if (codes !== null) return <BackupCodesView codes={codes} onClose={enter} />
  if (beginning.data !== undefined) {
    return (
      <ConfirmCode
        {...beginning.data}
        confirm={(code) => finish({ ...code, token: session.accessToken })}
        onCancel={leave}
        onDone={({ token, backupCodes }) => {
          session.begin(token, { isRemember: isRemembered() })
          setCodes(backupCodes)
        }}
      />
    )
  }
  return (
    <>
      <FormAlert message={beginning.error?.message ?? null} />
      <p>
        Your user type requires a second factor. You'll need an authenticator app on your phone, such as
        Google Authenticator, 1Password or Aegis. From then on, you enter its code after your password.
      </p>
      <Button loading={beginning.isPending} onClick={() => beginning.mutate({})}>
        Set up an authenticator
      </Button>
      <button type="button" className="fc-link-button" onClick={leave}>
        Back to sign in
      </button>
    </>
  )
}
