import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Output } from '#contract/endpoint.ts'
import type { dashboard } from '#contract/home/dashboard.ts'
import { NOT_FOR_SALE } from '#contract/vehicles/vehicles/publishing.ts'
import { count } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'

const IN_STOCK = 'status in ["incoming", "preparing", "live", "hold", "pending"]'

/** Vehicles in stock, those that buyers see, those they don't, and how long they have been in stock. */
export function StockFigures({ stock }: { stock: Output<typeof dashboard.stock> }) {
  const { inStock, live, published, notForSale, pending, medianDays } = stock
  const hidden = live - published
  const total = notForSale.incoming + notForSale.preparing + notForSale.hold
  return (
    <section className="fc-strip" aria-label="Inventory summary">
      <Figure title="In stock" number={inStock} filter={IN_STOCK}>
        {count(pending, 'sale', 'sales')} pending
      </Figure>
      <Figure title="Published" number={published} filter={'published == "published"'}>
        {inStock === 0 ? 'No vehicles yet' : `${Math.round((published / inStock) * 100)}% of stock`}
      </Figure>
      <Figure
        title="For sale, not published"
        number={hidden}
        filter={'status == "live" && published == "not-published"'}
      >
        <Hidden live={live} hidden={hidden} />
      </Figure>
      <Figure title="Not for sale" number={total} filter={NOT_FOR_SALE}>
        {notForSale.hold > 0 ? (
          <Status tone="warn" mark="pause">
            {notForSale.hold.toLocaleString()} on hold, {notForSale.preparing.toLocaleString()} preparing,{' '}
            {notForSale.incoming.toLocaleString()} incoming
          </Status>
        ) : (
          `${notForSale.incoming.toLocaleString()} incoming, ${notForSale.preparing.toLocaleString()} preparing`
        )}
      </Figure>
      <Figure title="Median days in stock" number={medianDays} filter={'daysInStock > 90'}>
        View 90+ days
      </Figure>
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

type Props = { title: string; number: number | null; filter: string; children: ReactNode }

/** A figure that links to the vehicles it counts. */
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
