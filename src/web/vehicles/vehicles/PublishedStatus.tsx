import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import { Status } from '#web/ui/controls/Status.tsx'

/** What buyers see: the derived status. */
export function PublishedStatus({
  of: { published },
  isPill = false,
}: {
  of: Pick<Vehicle, 'published'>
  isPill?: boolean
}) {
  return published === 'published' ? (
    <Status tone="good" mark="check" isPill={isPill}>
      Published
    </Status>
  ) : (
    <Status tone="warn" mark="alert" isPill={isPill}>
      Not published
    </Status>
  )
}
