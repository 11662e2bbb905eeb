import { PageLink } from '#web/ui/controls/PageLink.tsx'

/** The name of a price rule in an explanation; opens the rule. */
export function RuleName({ id, name }: { id: string; name: string }) {
  return (
    <PageLink to="/inventory/pricing-rules" search={{ rule: id }} className="fc-link">
      <bdi>{name}</bdi>
    </PageLink>
  )
}
