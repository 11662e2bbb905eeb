import { useState } from 'react'
import { secondFactor } from '#contract/identity/second-factor/second-factor.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { Loaded } from '#web/ui/record/Loaded.tsx'
import { AuthenticatorSection } from './AuthenticatorSection.tsx'
import { SecurityDialog, type SecurityDialogKind } from './SecurityDialog.tsx'
import { TrustedDevices } from './TrustedDevices.tsx'
import './security.css'

/** The user's own account security settings. */
export function SecurityPage() {
  const [dialog, setDialog] = useState<SecurityDialogKind | null>(null)
  const close = () => {
    setDialog(null)
    void queryClient.invalidateQueries({ queryKey: keyOf(secondFactor.own) })
  }
  return (
    <div className="fc-list">
      <PageHeader title="Security" context="How your account is protected, in addition to your password." />
      <Loaded query={query(secondFactor.own, {})} what="your security settings" shape="spinner">
        {(settings) => (
          <>
            <AuthenticatorSection own={settings} onOpen={setDialog} />
            <TrustedDevices devices={settings.devices} />
            {dialog !== null && <SecurityDialog kind={dialog} own={settings} onClose={close} />}
          </>
        )}
      </Loaded>
    </div>
  )
}
