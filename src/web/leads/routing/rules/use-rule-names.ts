import { useMemo } from 'react'
import { leadDestinations } from '#contract/leads/destinations/lead-destinations.ts'
import { query } from '#web/api/query.ts'
import { useLoad } from '#web/ui/record/Loaded.tsx'
import { useRoutingSettings } from '../use-routing-settings.ts'
import type { RuleNames } from './describe-rule.ts'

type Named = { id: string; name: string }
const byId = (rows: readonly Named[]) => new Map(rows.map(({ id, name }) => [id, name]))

/** The destinations, and the names of what rules refer to. `names` is null until everything has loaded. */
export function useRuleNames() {
  const settings = useRoutingSettings()
  const destinations = useLoad(query(leadDestinations.list, {}))
  const names = useMemo<RuleNames | null>(() => {
    if (settings.data === undefined || destinations.data === undefined) return null
    const { currency, lots, forms } = settings.data
    return {
      currency,
      lots: byId(lots),
      forms: byId(forms),
      destinations: byId(destinations.data),
    }
  }, [settings.data, destinations.data])
  const failed = [settings, destinations].find(({ error, data }) => error && data === undefined)
  return {
    names,
    settings: settings.data,
    destinations: destinations.data,
    error: failed?.error ?? null,
    retry: () => {
      settings.retry()
      destinations.retry()
    },
  }
}
