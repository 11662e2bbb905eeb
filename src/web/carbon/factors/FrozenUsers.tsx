import { factors } from '#contract/carbon/factors/factors.ts'
import { isFrozen, STATUS_NAMES } from '#contract/carbon/inventories/inventory-schema.ts'
import { query } from '#web/api/query.ts'
import { Loaded } from '#web/ui/record/Loaded.tsx'

/** The inventories that keep their figures when a custom factor is edited. */
export function FrozenUsers({ id }: { id: string }) {
  return (
    <Loaded query={query(factors.usage, { id })} what="what uses this factor" shape="spinner">
      {({ inventories }) => {
        const frozen = inventories.filter(({ status }) => isFrozen(status))
        if (inventories.length === 0) return <p className="fc-soft">Nothing uses this factor yet.</p>
        if (frozen.length === 0) return null
        const names = frozen.map(({ name, status }) => `${name} (${STATUS_NAMES[status].toLowerCase()})`)
        return (
          <p className="fc-small">
            <bdi>
              {names.join(', ')} {frozen.length === 1 ? 'keeps its' : 'keep their'} figures and the version
              they were calculated with.
            </bdi>
          </p>
        )
      }}
    </Loaded>
  )
}
