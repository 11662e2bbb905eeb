import { Link } from '@tanstack/react-router'
import type { FactorGap } from '#contract/carbon/inventories/assignments.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { useHolds } from '#web/session/use-session.ts'
import { describeQuery } from '#web/ui/controls/permission-of.ts'

type Props = { gap: FactorGap; title: string; onLeave?: () => void }

/** The way out where no factor leads: the form of an own one, filled with what it is for. */
export function AddOwnFactor({ gap: { region, activity, unit, scope }, title, onLeave }: Props) {
  const holds = useHolds()
  if (holds(factors.list.allow) !== true || holds(factors.add.allow) !== true)
    return (
      <span className="fc-soft">An own factor helps. That needs {describeQuery(factors.add.allow)}.</span>
    )
  return (
    <Link
      to="/carbon/factors"
      search={{ factor: 'new', region, activity, unit, scope }}
      aria-label={`Add own factor: ${title}, ${region}`}
      {...(onLeave && { onClick: onLeave })}
    >
      Add own factor
    </Link>
  )
}
