import { carbonAssignments } from '#contract/carbon/inventories/assignments.ts'
import { customSources } from '#contract/carbon/inventories/custom-sources.ts'
import { importedTotals } from '#contract/carbon/activity/imported-totals.ts'
import type { Inventory } from '#contract/carbon/inventories/inventories.ts'
import { isFrozen } from '#contract/carbon/inventories/inventory-schema.ts'
import { query } from '#web/api/query.ts'
import { both, Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { ImportedList } from './ImportedList.tsx'
import { ImportSheet } from './ImportSheet.tsx'
import '../records/activity.css'
import './imported.css'

/** Imported totals of years without activity data, and a grid to paste more. */
export function ImportedBoard({ inventory }: { inventory: Inventory }) {
  const totals = useLoad(query(importedTotals.list, { inventoryId: inventory.id }))
  const facilities = useLoad(query(carbonAssignments.facilities, { inventory: inventory.id }))
  const customs = useLoad(query(customSources.list, { inventory: inventory.id }))
  const isOpen = !isFrozen(inventory.status)
  return (
    <Loaded query={both(totals, both(facilities, customs))} what="the imported totals" shape="spinner">
      {([imported, [places, sources]]) => (
        <div className="fc-imported">
          <p className="fc-imported-about">
            Emissions already reported per source and facility, from before you had activity data. They are
            shown separately in every total, don't count toward coverage, and activity records replace them
            day by day.
          </p>
          <ImportedList totals={imported} inventoryId={inventory.id} isOpen={isOpen} />
          {isOpen && (
            <section aria-labelledby="import-totals">
              <h2 id="import-totals">Import totals</h2>
              <p className="fc-small fc-soft">
                Paste rows from a spreadsheet, with or without headings, or upload an XLSX or CSV file with
                these columns: facility, source, from, to, t CO2e.
              </p>
              <ImportSheet
                inventory={inventory}
                customs={sources}
                facilities={places.filter(({ choice }) => choice === 'included')}
              />
            </section>
          )}
        </div>
      )}
    </Loaded>
  )
}
