import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Got } from '#contract/endpoint.ts'
import type { dashboard } from '#contract/home/dashboard.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const IN_STOCK = 'status in ["incoming", "preparing", "live", "hold", "pending"]'
const NOT_LIVE = 'status == "incoming" || status == "preparing" || status == "hold"'

/** How many vehicles there are, what keeps some of them from buyers, and how long they wait. */
export function StockFigures({ stock }: { stock: Got<typeof dashboard.stock> }) {
  const { inStock, live, notLive, pending, liveWithoutPrice, medianDays } = stock
  const held = notLive.incoming + notLive.preparing + notLive.hold
  return (
    <section className="fc-strip" aria-label="Stock in figures">
      <Figure title="In stock" number={inStock} filter={IN_STOCK}>
        {count(pending, 'sale is', 'sales are')} pending
      </Figure>
      <Figure title="Live" number={live} filter={'status == "live"'}>
        {inStock === 0 ? 'No stock yet' : `${Math.round((live / inStock) * 100)} % of the stock`}
      </Figure>
      <Figure title="Not live" number={held} filter={NOT_LIVE}>
        {notLive.hold > 0 ? (
          <Status tone="warn" mark="pause">
            {notLive.hold.toLocaleString()} on hold, {notLive.preparing.toLocaleString()} preparing
          </Status>
        ) : (
          `${notLive.incoming.toLocaleString()} incoming, ${notLive.preparing.toLocaleString()} preparing`
        )}
      </Figure>
      <Figure
        title="Live without a price"
        number={liveWithoutPrice}
        filter={'status == "live" && price == null'}
      >
        {liveWithoutPrice === 0 ? (
          <Status tone="good" mark="check">
            Every live vehicle has one
          </Status>
        ) : (
          <Status tone="warn" mark="alert">
            Buyers see no price
          </Status>
        )}
      </Figure>
      <Figure title="Median days in stock" number={medianDays} filter={'daysInStock > 90'}>
        Who waits over 90 days
      </Figure>
    </section>
  )
}

type Props = { title: string; number: number | null; filter: string; children: ReactNode }

/** A figure leads to the very vehicles it counts. */
function Figure({ title, number, filter, children }: Props) {
  return (
    <Link className="fc-figure fc-figure-link" to="/inventory/vehicle-data" search={{ filter }}>
      <span>{title}</span>
      <b>{number === null ? '–' : number.toLocaleString()}</b>
      <span>{children}</span>
      <IconChevronRight size={16} className="fc-flip" aria-hidden="true" />
    </Link>
  )
}
