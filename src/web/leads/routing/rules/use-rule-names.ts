import { useMemo } from 'react'
import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { query } from '#web/api/query.ts'
import { both, useLoad } from '#web/ui/record/Loaded.tsx'
import { useRoutingSettings } from '../use-routing-settings.ts'
import type { RuleNames } from './describe-rule.ts'

type Named = { id: string; name: string }
const byId = (rows: readonly Named[]) => new Map(rows.map(({ id, name }) => [id, name]))

/** What rules refer to: the settings, the destinations, and the names of both. */
export function useRuleNames() {
  const load = both(useRoutingSettings(), useLoad(query(leadDestinations.list, {})))
  const [settings, destinations] = load.data ?? []
  const data = useMemo(() => {
    if (settings === undefined || destinations === undefined) return undefined
    const { currency, lots, forms } = settings
    const names: RuleNames = {
      currency,
      lots: byId(lots),
      forms: byId(forms),
      destinations: byId(destinations),
    }
    return { names, settings, destinations }
  }, [settings, destinations])
  return { ...load, data }
}
