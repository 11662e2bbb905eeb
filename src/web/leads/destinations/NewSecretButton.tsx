import { IconKey } from '@tabler/icons-react'
import { type LeadDestination, leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { confirmNewSecret } from './show-secret.tsx'

/** Replaces the signing secret of a webhook; the new one is shown once. */
export function NewSecretButton({ webhook, lock }: { webhook: LeadDestination; lock: string | null }) {
  return (
    <Action
      for={leadDestinations.secret}
      lock={lock}
      variant="default"
      leftSection={<IconKey size={16} aria-hidden="true" />}
      onClick={() => void confirmNewSecret(webhook)}
    >
      Replace secret
    </Action>
  )
}
