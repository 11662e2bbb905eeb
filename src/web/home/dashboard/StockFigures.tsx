import type { Output } from '#contract/endpoint.ts'
import type { dashboard } from '#contract/home/dashboard.ts'
import { Status } from '#web/ui/controls/Status.tsx'
import { count } from '#web/ui/layout/date-format.ts'
import { CountFigure } from './CountFigure.tsx'

/** Vehicles in stock, those that buyers see, those they don't, and how long they have been in stock. */
export function StockFigures({ stock }: { stock: Output<typeof dashboard.stock> }) {
  const { inStock, live, published, hidden, notForSale, pending, medianDays, dated } = stock
  const shown = (of: { count: number; url: string | null }) => ({
    value: of.count.toLocaleString(),
    url: of.url,
  })
  return (
    <section className="fc-strip" aria-label="Inventory summary">
      <CountFigure title="In stock" {...shown(inStock)}>
        {`${count(pending, 'sale', 'sales')} pending`}
      </CountFigure>
      <CountFigure title="Published" {...shown(published)}>
        {inStock.count === 0
          ? 'No vehicles yet'
          : `${Math.round((published.count / inStock.count) * 100)}% of stock`}
      </CountFigure>
      <CountFigure title="For sale, not published" {...shown(hidden)}>
        <Hidden live={live.count} hidden={hidden.count} />
      </CountFigure>
      <CountFigure title="Not for sale" {...shown(notForSale)}>
        <NotForSale {...notForSale} />
      </CountFigure>
      <CountFigure
        title="Median days in stock"
        value={medianDays === null ? '–' : medianDays.toLocaleString()}
        url={dated.url}
      >
        {`of ${count(dated.count, 'vehicle', 'vehicles')} with an arrival date`}
      </CountFigure>
    </section>
  )
}

function Hidden({ live, hidden }: { live: number; hidden: number }) {
  if (live === 0) return 'No vehicles for sale'
  return hidden === 0 ? (
    <Status tone="good" mark="check">
      Buyers see all of them
    </Status>
  ) : (
    <Status tone="warn" mark="alert">
      Hidden from buyers
    </Status>
  )
}

type NotForSaleProps = Pick<Output<typeof dashboard.stock>['notForSale'], 'incoming' | 'preparing' | 'hold'>

function NotForSale({ incoming, preparing, hold }: NotForSaleProps) {
  const others = `${preparing.toLocaleString()} preparing, ${incoming.toLocaleString()} incoming`
  if (hold === 0) return others
  return (
    <Status tone="warn" mark="pause">
      {hold.toLocaleString()} on hold, {others}
    </Status>
  )
}
