import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { queryClient } from '#web/api/query.ts'
import { ImpersonationBanner } from '#web/shell/ImpersonationBanner.tsx'
import '#web/shell/notices.css'
import '#web/ui/controls/controls.css'
import '#web/ui/list/lists.css'
import { AuthLayout } from './AuthLayout.tsx'
import { OrganizationPicker } from './OrganizationPicker.tsx'
import './organization.css'

const ModalHost = lazy(async () => ({
  default: (await import('#web/ui/overlay/ModalHost.tsx')).ModalHost,
}))

/** Specification section 2: without navigation; works before an organization is chosen. */
export function OrganizationPage() {
  return (
    <QueryClientProvider client={queryClient}>
      <AuthLayout
        title="Choose an organization"
        about="You'll work in this organization until you switch."
        isWide
      >
        <div>
          <ImpersonationBanner />
        </div>
        <OrganizationPicker />
      </AuthLayout>
      <Suspense>
        <ModalHost />
      </Suspense>
    </QueryClientProvider>
  )
}
