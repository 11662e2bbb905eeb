import { defaultsFor, findSourceType } from '#contract/carbon/inventories/source-types.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { readCustomSources } from './custom-source-rows.ts'

/** What a new source of a type starts with. `name`: only of a custom source. */
export type SourceDefaults = {
  title: string
  name: string | null
  activity: string
  unit: string
  scope: string
  method: 'calculated' | 'own_factor'
}
/** The defaults of a source type in a country; undefined if there is no such type, or it was removed. */
export type FindDefaults = (sourceType: string, country: string | null) => SourceDefaults | undefined

/** Finds the defaults of the standard sources and of the custom ones of an organization. */
export async function readSourceDefaults(db: Database, organizationId: string): Promise<FindDefaults> {
  const customs = new Map(
    (await readCustomSources(db, organizationId)).map((custom) => [custom.sourceType, custom]),
  )
  return (sourceType, country) => {
    const custom = customs.get(sourceType)
    if (custom !== undefined) {
      const { name, activity, unit, scope } = custom
      return { title: name, name, activity, unit, scope, method: 'calculated' }
    }
    const type = findSourceType(sourceType)
    if (type === undefined) return undefined
    const { title, scope, needsOwnFactor } = type
    const method = needsOwnFactor ? 'own_factor' : 'calculated'
    return { title, name: null, scope, method, ...defaultsFor(type, country) }
  }
}
