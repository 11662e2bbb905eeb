import { Button } from '@mantine/core'
import { useHolds, useSession } from '#web/session/use-session.ts'
import { useIsImpersonating } from '#web/session/use-skin.ts'
import { Tip } from '#web/ui/controls/Tip.tsx'
import { useImpersonate } from './use-impersonate.tsx'
import { whyNotImpersonate } from './why-not.ts'

type Props = { person: { id: string; name: string; isActive: boolean } }

/** Beside a person who was found: asks how, and works as them. Whoever cannot be impersonated says why. */
export function ImpersonateButton({ person: { id, name, isActive } }: Props) {
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
