import { useState } from 'react'
import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { useHolds } from '#web/session/use-session.ts'
import { permissionsFor } from '#web/ui/controls/permission-of.ts'
import { LeadRoute } from '../../routing/LeadRoute.tsx'

/** Why the lead is here, rule by rule. Read only when it is opened, by users who may see rules. */
export function WhyHere({ leadId }: { leadId: string }) {
  const holds = useHolds()
  const [isOpen, setIsOpen] = useState(false)
  if (!permissionsFor(leadRoutingRules.explain.allow).some((one) => holds(one) === true)) return null
  return (
    <details className="fc-small" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="fc-lead-why">Why here</summary>
      {isOpen && <LeadRoute leadId={leadId} />}
    </details>
  )
}
