import { Button, Group } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { getRouteApi, useLocation, useRouter } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { NO_ORGANIZATION } from '#contract/identity/sessions/session.ts'
import { queryClient } from '#web/api/query.ts'
import { HOME } from '#web/session/guard.ts'
import { useSession, useSessionOwner } from '#web/session/use-session.ts'
import { ImpersonationBanner } from '#web/shell/ImpersonationBanner.tsx'
import '#web/shell/notices.css'
import '#web/ui/controls/controls.css'
import '#web/ui/list/lists.css'
import { AuthLayout } from './AuthLayout.tsx'
import { OrganizationPicker } from './OrganizationPicker.tsx'
import './organization.css'

const route = getRouteApi('/auth/organization')

const KeptHere = lazy(async () => ({ default: (await import('#web/ui/feedback/KeptHere.tsx')).KeptHere }))

const ModalHost = lazy(async () => ({
  default: (await import('#web/ui/overlay/ModalHost.tsx')).ModalHost,
}))

/** Specification section 2: without navigation; works before an organization is chosen. */
export function OrganizationPage() {
  const { next } = route.useSearch()
  const { lostOrganization } = useLocation().state
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
        {lostOrganization !== undefined && (
          <>
            <p className="fc-alert" role="alert">
              <span>
                You no longer have access to <bdi>{lostOrganization}</bdi>: an administrator took it from you,
                or archived it. Ask an administrator if you still need it.
              </span>
            </p>
            <Suspense>
              <KeptHere page={(next ?? '').replace(/[?#].*/, '')} />
            </Suspense>
          </>
        )}
        <OrganizationPicker next={next} />
        <WhoIsHere />
      </AuthLayout>
      <Suspense>
        <ModalHost />
      </Suspense>
    </QueryClientProvider>
  )
}

/** Who is signed in, and the ways out: back to the organization before, or to sign in as someone else. */
function WhoIsHere() {
  const session = useSessionOwner()
  const router = useRouter()
  const { claims } = useSession()
  if (claims === null) return null
  const { userName, organizationId, organizationName } = claims
  return (
    <Group gap="sm" mt="lg" fz="sm">
      <span className="fc-grow">
        <bdi>Signed in as {userName}</bdi>
      </span>
      {organizationId !== NO_ORGANIZATION && (
        <Button variant="default" size="xs" onClick={() => void router.navigate({ to: HOME })}>
          <bdi>Stay in {organizationName}</bdi>
        </Button>
      )}
      <Button variant="default" size="xs" onClick={() => void session.logout()}>
        Sign out
      </Button>
    </Group>
  )
}
