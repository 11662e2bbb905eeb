import type { Customer } from '#contract/customers/customers/customers.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { STATUS_NAMES } from './customer-labels.ts'

const LOOKS = {
  active: { tone: 'good', mark: 'check' },
  suspended: { tone: 'warn', mark: 'pause' },
  closed: { tone: 'mute', mark: 'cross' },
} as const

/** The customer's status. */
export function CustomerStatus({ of, isPill = false }: { of: Customer['status']; isPill?: boolean }) {
  return (
    <Status {...LOOKS[of]} isPill={isPill}>
      {STATUS_NAMES[of]}
    </Status>
  )
}
