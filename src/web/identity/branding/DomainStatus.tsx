import type { DomainWhiteLabel } from '#contract/identity/branding/white-labels.ts'
import { Status } from '#web/ui/controls/Status.tsx'

/** Whether a domain is verified. */
export function DomainStatus({ of: { verifiedAt } }: { of: Pick<DomainWhiteLabel, 'verifiedAt'> }) {
  if (verifiedAt === null) {
    return (
      <Status tone="warn" mark="wait">
        Pending verification
      </Status>
    )
  }
  return (
    <Status tone="good" mark="check">
      Verified
    </Status>
  )
}
