import { expect } from 'vitest'
import { lots } from '#contract/customers/lots/lots.ts'
import { jobs } from '#contract/jobs/jobs.ts'
import { campaigns } from '#contract/marketing/campaigns/campaigns.ts'
import { promoPages } from '#contract/marketing/pages/promo-pages.ts'
import { shortUrls } from '#contract/marketing/short-urls/short-urls.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import type { TestApp } from '#test/app.ts'
import type { TestOrganization } from '#test/factories/test-organization.ts'

const CALLS = {
  campaigns: campaigns.removeMany,
  lots: lots.removeMany,
  promo_pages: promoPages.removeMany,
  short_urls: shortUrls.removeMany,
  vehicles: vehicles.removeMany,
} as const
type Table = keyof typeof CALLS
type Linked = Readonly<{
  from: Table
  column: string
  to: Table
  /** The first one can't come back before the other, and its undo says so. */
  needsOther?: true
  /** Adds both records. Returns the ID of the one that names the other, and of that one. */
  add: (place: TestOrganization) => Promise<readonly [string, string]>
}>

/** Records whose deletion can be undone and that name another such record, which may be deleted first. */
export const LINKED: readonly Linked[] = [
  {
    from: 'campaigns',
    column: 'page_id',
    to: 'promo_pages',
    async add(place) {
      const { id: pageId } = await place.addPage()
      return [(await place.addCampaign({ pageId })).id, pageId]
    },
  },
  {
    from: 'campaigns',
    column: 'short_url_id',
    to: 'short_urls',
    async add(place) {
      const { id } = await place.addCampaign()
      const shortUrlId = await place.addShortUrl()
      await place.insert('update campaigns set short_url_id = $2 where id = $1 returning id', [
        id,
        shortUrlId,
      ])
      return [id, shortUrlId]
    },
  },
  {
    from: 'promo_pages',
    column: 'lot_id',
    to: 'lots',
    needsOther: true,
    async add(place) {
      const lotId = await place.addLot()
      return [(await place.addPage({ lotId })).id, lotId]
    },
  },
  {
    from: 'short_urls',
    column: 'page_id',
    to: 'promo_pages',
    async add(place) {
      const { id } = await place.addPage()
      return [await place.addShortUrl({ target: 'page', pageId: id, url: null }), id]
    },
  },
  {
    from: 'short_urls',
    column: 'vehicle_id',
    to: 'vehicles',
    async add(place) {
      const vehicleId = await place.addVehicle()
      return [await place.addShortUrl({ target: 'vehicle', vehicleId, url: null }), vehicleId]
    },
  },
]

/** What is done to the record that names the other (0) or to that one (1). */
export type Step = Readonly<{ to: 0 | 1; act: 'delete' | 'undo' }>

/** Deletes and undoes by jobs. Returns what the first record names at the end. */
export async function follow(
  forecourt: TestApp,
  place: TestOrganization,
  { linked, ids, steps }: { linked: Linked; ids: readonly [string, string]; steps: readonly Step[] },
): Promise<string | null | undefined> {
  const removals = ['', '']
  for (const { to, act } of steps) {
    const job =
      act === 'delete'
        ? await place.call(CALLS[to === 0 ? linked.from : linked.to], { selection: { ids: [ids[to]] } })
        : await place.call(jobs.undo, { id: removals[to] ?? '' })
    if (act === 'delete') removals[to] = job.id
    await forecourt.jobs.runDue()
    expect(await place.call(jobs.get, { id: job.id })).toMatchObject({ failures: 0 })
  }
  const { rows } = await forecourt.owner.query<{ named: string | null }>(
    `select ${linked.column} as named from ${linked.from} where id = $1`,
    [ids[0]],
  )
  return rows[0]?.named
}

/** Every way to delete and restore two records in a number of steps, at whose end both are there. */
export function walks(
  linked: Linked,
  length: number,
  deleted: readonly [boolean, boolean] = [false, false],
): Step[][] {
  if (length === 0) return deleted[0] || deleted[1] ? [] : [[]]
  return ([0, 1] as const).flatMap((to) => {
    const step: Step = { to, act: deleted[to] ? 'undo' : 'delete' }
    if (linked.needsOther && to === 0 && deleted[0] && deleted[1]) return []
    const next = [to === 0 ? !deleted[0] : deleted[0], to === 1 ? !deleted[1] : deleted[1]] as const
    return walks(linked, length - 1, next).map((rest) => [step, ...rest])
  })
}

/** Whether both are deleted before one of them comes back. */
export const bothAreGone = ([first, second]: readonly Step[]): boolean =>
  first?.act === 'delete' && second?.act === 'delete'
