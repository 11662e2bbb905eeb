import { sql } from 'kysely'
import type { PriceQuote } from '#contract/pricing/totals/price-quote.ts'
import type { Database } from '#server/database/tenant-transaction.ts'

/** How the proof of price names the pages of the public site. */
const SITE = 'Website'

type SitePrice = {
  id: string
  openId: string | null
  sellingCents: number | null
  totalCents: number | null
  law: string | null
  sentence: string | null
  fees: PriceQuote['fees'] | null
}

/**
 * Notes the prices that the public site shows from now on, and ends those that it doesn't show anymore. A page shows a price
 * in the same second, because pages evaluate prices themselves.
 * @param quotes what the page of each vehicle shows; null: the vehicle has no page
 */
export async function advertiseOnSite(
  db: Database,
  { customerId, currency }: { customerId: string; currency: string },
  quotes: ReadonlyMap<string, PriceQuote | null>,
): Promise<void> {
  const { rows } = await sql<SitePrice>`
    select g.id::text, a.id::text as open_id, a.selling_cents::float8 as selling_cents, a.total_cents::float8 as total_cents,
      a.law, a.sentence, a.fees
    from unnest(${[...quotes.keys()]}::bigint[]) g (id)
    left join advertised_prices a on a.customer_id = ${customerId} and a.vehicle_id = g.id
      and a.channel_id is null and a.until_at is null`.execute(db)
  const changed = rows.flatMap((shown) => {
    const quote = quotes.get(shown.id) ?? null
    if (quote === null ? shown.openId === null : isSame(shown, quote)) return []
    return [{ id: shown.id, openId: shown.openId, quote }]
  })
  const ended = changed.flatMap(({ openId }) => openId ?? [])
  if (ended.length > 0) {
    await sql`update advertised_prices set until_at = app_now()
      where customer_id = ${customerId} and id = any(${ended}::bigint[])`.execute(db)
  }
  const added = changed.flatMap(({ id, quote }) => (quote === null ? [] : [{ id, ...quote }]))
  if (added.length > 0) {
    await sql`insert into advertised_prices (organization_id, vehicle_id, vin, stock, title, channel_name, price_meaning,
        base_cents, lines, price_cents, selling_cents, total_cents, currency, law, sentence, fees)
      select v.organization_id, v.id, v.vin, v.stock, concat_ws(' ', v.year, v.make, v.model, v.trim), ${SITE}, 'total',
        g."baseCents", g.lines, g."totalCents", g."sellingCents", g."totalCents", ${currency}, g.law, g.sentence, g.fees
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) g (id bigint, "baseCents" bigint, lines jsonb,
        "sellingCents" bigint, "totalCents" bigint, law text, sentence text, fees jsonb)
      join vehicles v on v.customer_id = ${customerId} and v.id = g.id
      on conflict do nothing`.execute(db)
  }
}

function isSame(shown: SitePrice, quote: PriceQuote): boolean {
  const keyOf = ({
    sellingCents,
    totalCents,
    law,
    sentence,
    fees,
  }: Omit<SitePrice, 'id' | 'openId'>): string => {
    const amounts = fees?.map(({ name, class: of, cents }) => [name, of, cents])
    return JSON.stringify([sellingCents, totalCents, law, sentence, amounts])
  }
  return shown.openId !== null && keyOf(shown) === keyOf(quote)
}
