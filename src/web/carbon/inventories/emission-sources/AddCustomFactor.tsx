import type { FactorGap } from '#contract/carbon/inventories/assignments.ts'
import { factors } from '#contract/carbon/factors/factors.ts'
import { useHolds } from '#web/session/use-session.ts'
import { describeRequirement } from '#web/ui/controls/permission-of.ts'
import { Link } from '#web/ui/controls/Link.tsx'

type Props = { gap: FactorGap; title: string; onLeave?: () => void }

/** A link to the form of a custom factor, prefilled for a source without one. */
export function AddCustomFactor({ gap: { region, activity, unit, scope }, title, onLeave }: Props) {
  const holds = useHolds()
  if (holds(factors.list.allow) !== true || holds(factors.add.allow) !== true)
    return (
      <span className="fc-soft">
        Adding a custom factor requires {describeRequirement(factors.add.allow)}.
      </span>
    )
  return (
    <Link
      to="/carbon/factors"
      search={{ factor: 'new', region, activity, unit, scope }}
      aria-label={`Add custom factor: ${title}, ${region}`}
      {...(onLeave && { onClick: onLeave })}
    >
      Add custom factor
    </Link>
  )
}
