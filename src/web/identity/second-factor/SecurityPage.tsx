import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { AuthenticatorSection } from './AuthenticatorSection.tsx'
import { SecurityDialog, type SecurityDialogKind } from './SecurityDialog.tsx'
import { TrustedDevices } from './TrustedDevices.tsx'
import './security.css'

/** The user's own account security settings. */
export function SecurityPage() {
  const { data, error, isPending, refetch } = useQuery(query(secondFactor.own, {}))
  const [dialog, setDialog] = useState<SecurityDialogKind | null>(null)
  const close = () => {
    setDialog(null)
    void queryClient.invalidateQueries({ queryKey: keyOf(secondFactor.own) })
  }
  return (
    <div className="fc-list">
      <PageHeader title="Security" context="How your account is protected, in addition to your password." />
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={secondFactor.own}
          what="your security settings"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <Spinner label="Loading your security settings" />}
      {data && (
        <>
          <AuthenticatorSection own={data} onOpen={setDialog} />
          <TrustedDevices devices={data.devices} />
        </>
      )}
      {dialog !== null && <SecurityDialog kind={dialog} onClose={close} />}
    </div>
  )
}
