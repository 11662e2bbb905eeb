import { afterAll, beforeAll, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import { findReferences } from '#server/lists/dependents.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization } from '#test/factories/test-organization.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

/** Foreign keys to rows whose deletion can be undone that the undo doesn't restore, with reasons. */
const NOT_RESTORED: readonly string[] = [
  'lot_dealer_ids.lot_id', // derived from the lot by a trigger
]
/** Calls named restore that bring back no deleted row, with reasons. */
const WITHOUT_DELETION: readonly string[] = [
  'activities.restore', // the record was only marked as replaced
  'customSources.restore', // the source was only closed
  'emailTemplates.restore', // restores the product's text
  'evidence.restore', // the file was only marked as removed
  'importedTotals.restore', // the totals were only marked as removed
  'organizations.restore', // the organization was archived
  'providerMappings.restore', // saves an old version as a new one
  'questionnaires.restore', // the questionnaire was retired
]

type Key = { key: string; table: string; action: string }

const keysTo = async (table: string) => {
  const { rows } = await forecourt.owner.query<Key>(
    `select f.conrelid::regclass || '.' || a.attname as key, f.conrelid::regclass::text as "table", f.confdeltype as action
    from pg_constraint f join pg_attribute a on a.attrelid = f.conrelid and a.attnum = any(f.conkey)
    where f.contype = 'f' and f.conparentid = 0 and f.confdeltype not in ('a', 'r') and f.confrelid = $1::regclass
      and a.attname <> 'customer_id' order by 1`,
    [table],
  )
  return rows
}

test('an undo of a deletion restores every row and every reference that the deletion takes away', async () => {
  const deleting = [...forecourt.jobs.kinds.values()].filter(
    ({ name, rows }) => rows?.canUndo === true && name.includes('remove'),
  )
  const tables = deleting.map(({ rows }) => rows?.deletes ?? '')
  expect(tables.toSorted()).toEqual(['dvp_layouts', 'lots', 'promo_pages', 'short_urls', 'vehicles'])
  const { customerId } = await testOrganization(forecourt, 'Northgate Ford')
  const scope = {
    customerId,
    organizationId: null,
    reach: 'customer' as const,
    actorUserId: null,
    actorName: null,
    effectiveUserId: null,
    effectiveName: null,
    endpoint: 'test',
    isReadOnly: true,
  }
  const [all, restored] = await inTenant(forecourt.appPool, scope, async (db) => {
    const taken: string[] = []
    const back: string[] = []
    // Rows that are deleted with a record take others away.
    for (const table of tables) {
      const found = await findReferences(db, table)
      back.push(...found.map(({ table: from, column }) => `${from}.${column}`))
      for (const { key, table: from, action } of await keysTo(table)) {
        taken.push(key)
        if (action === 'c' && !tables.includes(from)) tables.push(from)
      }
    }
    return [taken, back]
  })
  expect(all).toContain('vehicle_special_prices.vehicle_id')
  expect(all.filter((key) => !restored.includes(key))).toEqual(NOT_RESTORED)
})

test('every call named restore is covered by the mechanism, or deletes nothing', () => {
  const restoring = Object.entries(contract).flatMap(([name, calls]) =>
    'restore' in calls ? [`${name}.restore`] : [],
  )
  expect(restoring.filter((name) => name !== 'vehicles.restore').toSorted()).toEqual(WITHOUT_DELETION)
})
