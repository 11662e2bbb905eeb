import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contract } from '#contract/index.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { inTenant } from '#server/database/tenant-transaction.ts'
import { findReferences } from '#server/lists/dependents.ts'
import { testApp, type TestApp } from '#test/app.ts'
import { testOrganization } from '#test/factories/test-organization.ts'
import { bothAreGone, follow, LINKED, walks } from '#test/suites/linked-records.ts'

let forecourt: TestApp
beforeAll(async () => {
  forecourt = await testApp()
})
afterAll(() => forecourt.close())

/** Foreign keys to rows whose deletion can be undone that the undo doesn't restore, with reasons. */
const NOT_RESTORED: readonly string[] = [
  'lot_dealer_ids.lot_id', // derived from the lot by a trigger
  'short_url_checks.short_url_id', // made again by a trigger, and checked again
]
/** Calls named restore that bring back no deleted row, with reasons. */
const WITHOUT_DELETION: readonly string[] = [
  'activities.restore', // the record was only marked as replaced
  'customSources.restore', // the source was only closed
  'dvpLayouts.restore', // saves an old version as a new one
  'emailTemplates.restore', // restores the product's text
  'evidence.restore', // the file was only marked as removed
  'importedTotals.restore', // the totals were only marked as removed
  'organizations.restore', // the organization was archived
  'providerMappings.restore', // saves an old version as a new one
  'questionnaires.restore', // the questionnaire was retired
  'sameFiles.restore', // files, which no row depends on
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

const undoable = () =>
  [...forecourt.jobs.kinds.values()]
    .filter(({ name, rows }) => rows?.canUndo === true && name.includes('remove'))
    .map(({ rows }) => rows?.deletes ?? '')

test('every pair of tables whose rows can come back one by one is tried', async () => {
  const found: string[] = []
  for (const table of undoable())
    for (const { key, action } of await keysTo(table)) {
      const from = key.split('.')[0] ?? ''
      if (action === 'n' && undoable().includes(from)) found.push(`${key} ${table}`)
    }
  expect(LINKED.map(({ from, column, to }) => `${from}.${column} ${to}`)).toEqual(found.toSorted())
})

test('an undo of a deletion restores every row and every reference that the deletion takes away', async () => {
  const tables = undoable()
  expect(tables.toSorted()).toEqual([
    'campaigns',
    'dvp_layouts',
    'lots',
    'promo_pages',
    'saved_blocks',
    'short_urls',
    'vehicles',
  ])
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

describe('records that name each other', () => {
  test.each(LINKED.map((linked) => [`${linked.from}.${linked.column}`, linked] as const))(
    '%s is as it was after both deletions are undone',
    async (_, linked) => {
      const place = await testOrganization(forecourt, 'Northgate Ford')
      for (const steps of walks(linked, 4).filter(bothAreGone)) {
        const ids = await linked.add(place)
        const named = await follow(forecourt, place, { linked, ids, steps })
        expect({ steps, named }).toEqual({ steps, named: ids[1] })
      }
    },
  )

  test('a vehicle that was deleted and restored alone is named again, also by what was deleted after it', async () => {
    const place = await testOrganization(forecourt, 'Northgate Ford')
    const vehicleId = await place.addVehicle()
    const id = await place.addShortUrl({ target: 'vehicle', vehicleId, url: null })
    await place.call(vehicles.remove, { id: vehicleId })
    const removal = await place.call(shortUrls.removeMany, { selection: { ids: [id] } })
    await forecourt.jobs.runDue()
    await place.call(vehicles.restore, { id: vehicleId })
    await place.call(jobs.undo, { id: removal.id })
    await forecourt.jobs.runDue()
    expect(await place.call(shortUrls.get, { id })).toMatchObject({ vehicleId })
  })

  test('a reference to what nothing can bring back is named', async () => {
    const place = await testOrganization(forecourt, 'Northgate Ford')
    const page = await place.addPage()
    const id = await place.addShortUrl({ target: 'page', pageId: page.id, url: null })
    const removal = await place.call(shortUrls.removeMany, { selection: { ids: [id] } })
    await forecourt.jobs.runDue()
    await place.call(promoPages.remove, { id: page.id })
    const undo = await place.call(jobs.undo, { id: removal.id })
    await forecourt.jobs.runDue()
    expect(await place.call(jobs.failures, { id: undo.id })).toMatchObject([
      { rowId: id, reason: 'It is back, but its page was deleted for good in the meantime.' },
    ])
  })

  test('a reference that someone has set meanwhile stays', async () => {
    const place = await testOrganization(forecourt, 'Northgate Ford')
    const page = await place.addPage()
    const other = await place.addPage()
    const id = await place.addShortUrl({ target: 'page', pageId: page.id, url: null })
    const removal = await place.call(promoPages.removeMany, { selection: { ids: [page.id] } })
    await forecourt.jobs.runDue()
    await place.call(shortUrls.update, { id, target: 'page', pageId: other.id })
    const undo = await place.call(jobs.undo, { id: removal.id })
    await forecourt.jobs.runDue()
    expect(await place.call(shortUrls.get, { id })).toMatchObject({ pageId: other.id })
    expect(await place.call(jobs.failures, { id: undo.id })).toMatchObject([
      { reason: expect.stringContaining('short URLs (1)') },
    ])
  })
})
