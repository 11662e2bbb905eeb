import { Link } from '#web/ui/controls/Link.tsx'

/** The name of a price rule in an explanation; opens the rule. */
export function RuleName({ id, name }: { id: string; name: string }) {
  return (
    <Link to="/inventory/pricing-rules" search={{ rule: id }} className="fc-link">
      <bdi>{name}</bdi>
    </Link>
  )
}
