import { leadRoutingRules } from '#contract/leads/routing/lead-routing-rules.ts'
import { query } from '#web/api/query.ts'
import { useLoad } from '#web/ui/record/Loaded.tsx'

/** Why users of one organization can't change routing. */
const ONE_ORGANIZATION =
  'Lead routing applies to all organizations. Only users with access to all of them can change it.'

/** What rules and destinations can refer to, and whether this user may change them. */
export function useRoutingSettings() {
  return useLoad(query(leadRoutingRules.settings, {}))
}

/** Why this user can't change routing, as a sentence; null if they can. */
export function useRoutingLock(): string | null {
  const { data } = useRoutingSettings()
  return data?.canChange === false ? ONE_ORGANIZATION : null
}
