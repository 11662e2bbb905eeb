import { sql } from 'kysely'
import { type Layout, layoutRecord } from '#contract/marketing/layouts/layouts.ts'
import { blankBlock, type BlockType, type StoredBlock } from '#contract/marketing/pages/blocks.ts'
import { promoPageRecord } from '#contract/marketing/pages/promo-pages.ts'
import type { Database } from '#server/database/tenant-transaction.ts'
import { addLayout, addPage, publishPage, saveLayout, savedBlocksTable } from '#server/marketing/index.ts'

/** A promo page of the demo world. Its lot is named by its code. */
export type DemoPage = Readonly<{
  name: string
  slug: string
  description?: string
  blocks: readonly DemoBlock[]
  isPublished?: boolean
  isHome?: boolean
  isInMenu?: boolean
  isInFooter?: boolean
  hasLayout?: boolean
  startsOn?: string
  endsOn?: string
  /** Changes of the draft after it was published. */
  later?: readonly DemoBlock[]
}>
type DemoBlock = Readonly<{
  type: BlockType
  data: Readonly<Record<string, unknown>>
  lot?: string
  /** The stock number of its vehicle. */
  stock?: string
}>

const FIRST_TERMS = 'Vehicles are subject to prior sale.'
const TERMS =
  'Vehicles are subject to prior sale. The total price includes all fees of the dealer; taxes, title and registration are added by the state.'

/** Blocks that are saved for reuse. */
const SAVED = [
  ['Terms of offers', TERMS],
  ['Hours on holidays', 'On holidays our hours may differ. Please call before you come.'],
] as const

/** Adds the promo pages of a customer, and the layout that some of them have. */
export async function addDemoPages(db: Database, pages: readonly DemoPage[]): Promise<void> {
  const { rows } = await sql<{ id: string; code: string }>`select id::text, code from lots`.execute(db)
  const lots = new Map(rows.map(({ code, id }) => [code, id]))
  const found = await sql<{
    id: string
    stock: string
  }>`select id::text, stock from vehicles where stock <> ''`.execute(db)
  const vehicles = new Map(found.rows.map(({ stock, id }) => [stock, id]))
  const layout = pages.some(({ hasLayout }) => hasLayout) ? await addDemoLayout(db) : null
  if (layout !== null)
    for (const [name, text] of SAVED)
      // oxlint-disable-next-line no-await-in-loop -- One connection.
      await savedBlocksTable.add(db, {
        name,
        blocks: [{ ...blankBlock('disclaimer', 'terms'), data: { text } }],
      })
  const stored = (blocks: readonly DemoBlock[]): StoredBlock[] =>
    blocks.map(({ type, data, lot, stock }, at) => {
      const blank = blankBlock(type, `${type}-${at + 1}`)
      return {
        ...blank,
        data: {
          ...blank.data,
          ...data,
          ...(lot !== undefined && { lotId: lots.get(lot) ?? null }),
          ...(stock !== undefined && { vehicleId: vehicles.get(stock) ?? null }),
        },
      }
    })
  for (const { blocks, later, isPublished, hasLayout, ...page } of pages) {
    const input = {
      ...page,
      title: page.name,
      layoutId: hasLayout === true && layout !== null ? layout.id : null,
      blocks: stored(blocks),
    }
    const added = await addPage(db, promoPageRecord.create.parse(input))
    if (isPublished === true) {
      await publishPage(db, added)
      await addVisits(db, added.id)
    }
    if (later === undefined) continue
    await sql`update promo_pages set blocks = ${JSON.stringify(stored([...blocks, ...later]))} where id = ${added.id}`.execute(
      db,
    )
  }
}

/** Visits of 30 days: more on weekends, and a scanner on one day. */
const addVisits = (db: Database, id: string) =>
  sql`insert into promo_page_visits (page_id, day, kind, visits)
    select ${id}, d::date, k.kind, greatest(0, k.usual + (extract(day from d)::int * 7 + ${id}::int) % 5
      + case when k.kind = 'person' and extract(isodow from d) > 5 then 9 when k.kind = 'bot' and extract(day from d) = 6 then 31 else 0 end)
    from customers c cross join generate_series(today(c.time_zone) - 29, today(c.time_zone), interval '1 day') d
      cross join (values ('person', 8), ('suspect', 1), ('bot', 2)) k (kind, usual)
    where c.id = nullif(current_setting('app.customer_id', true), '')::bigint`.execute(db)

/** A layout whose terms were written twice: it has two versions. */
async function addDemoLayout(db: Database): Promise<Layout> {
  const terms = (text: string) => [{ ...blankBlock('disclaimer', 'terms'), data: { text } }]
  const { id } = await addLayout(
    db,
    layoutRecord.create.parse({
      name: 'Northgate 2026',
      note: 'For offers of all stores',
      allowed: [
        'hero',
        'text',
        'picture',
        'vehicles',
        'vehicle',
        'countdown',
        'gallery',
        'form',
        'hours',
        'map',
        'specials',
      ],
      bottom: terms(FIRST_TERMS),
    }),
  )
  return saveLayout(db, { id, bottom: terms(TERMS) })
}
