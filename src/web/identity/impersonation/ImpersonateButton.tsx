import { Button } from '@mantine/core'
import { useHolds, useSession } from '#web/session/use-session.ts'
import { useIsImpersonating } from '#web/session/use-impersonation.ts'
import { Tip } from '#web/ui/controls/Tip.tsx'
import { useImpersonate } from './use-impersonate.tsx'
import { whyNotImpersonate } from './why-not.ts'

type Props = { user: { id: string; name: string; isActive: boolean } }

/**
 * Button next to a found user that opens the impersonation dialog. Disabled with a reason if they can't be
 * impersonated.
 */
export function ImpersonateButton({ user: { id, name, isActive } }: Props) {
  const { claims } = useSession()
  const impersonate = useImpersonate()
  const candidate = { isSelf: id === claims?.userId, isSuper: false, isActive, lock: null }
  const reason = whyNotImpersonate(candidate, useHolds(), useIsImpersonating())
  const look = { size: 'compact-xs', h: 24, variant: 'default', 'aria-label': `Impersonate ${name}` } as const
  if (reason === null) {
    return (
      <Button {...look} onClick={() => impersonate({ id, name })}>
        Impersonate
      </Button>
    )
  }
  return (
    <Tip label={reason}>
      <Button {...look} data-disabled aria-disabled aria-description={reason}>
        Impersonate
      </Button>
    </Tip>
  )
}
