import { TextInput } from '@mantine/core'
import { IconReceipt } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import {
  ADVERTISED_LIST,
  type AdvertisedPrice,
  advertisedPrices,
} from '#contract/pricing/advertised/advertised-prices.ts'
import { useToday } from '#web/session/use-today.ts'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { useListRoute } from '#web/ui/list/use-list-route.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import { AdvertisedBlock, CELLS, WIDTHS } from './advertised-columns.tsx'

const route = getRouteApi('/shell/inventory/advertised-prices')

const AdvertisedDrawer = lazy(async () => ({
  default: (await import('./AdvertisedDrawer.tsx')).AdvertisedDrawer,
}))

/** Which price was advertised for which vehicle, where and when; one opens in a drawer with its own URL. */
export function AdvertisedPricesPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const today = useToday()
  const { onShow, close } = useListRoute('price')
  const setDay = (day: string) =>
    void navigate({ search: (before) => ({ ...before, filter: filterOfDay(day), page: undefined }) })
  return (
    <>
      <ListPage
        list={ADVERTISED_LIST}
        endpoint={advertisedPrices.list}
        search={search}
        onShow={onShow}
        cells={CELLS}
        widths={WIDTHS}
        block={showBlock}
        rowId={(row) => row.id}
        rowName={(row) => row.title}
        selectedId={search.price}
        searches="Vehicle, VIN, stock number"
        about={() => 'Prices that channels and the website advertised, kept for two years after they ended.'}
        actions={
          <label className="fc-row fc-small" htmlFor="advertised-on">
            Advertised on
            <TextInput
              id="advertised-on"
              type="date"
              max={today}
              value={dayOfFilter(search.filter)}
              onChange={(event) => setDay(event.currentTarget.value)}
            />
          </label>
        }
        empty={
          <EmptyState
            tone="brand"
            icon={<IconReceipt size={18} />}
            title="No prices advertised yet"
            text="When a channel delivers a file, or the website shows a vehicle, its price appears here with the time and how it was calculated."
          >
            <Link to="/inventory/channels" className="fc-link">
              Go to channels
            </Link>
          </EmptyState>
        }
      />
      {search.price !== undefined && (
        <Suspense>
          <AdvertisedDrawer key={search.price} id={search.price} onClose={close} />
        </Suspense>
      )}
    </>
  )
}

function showBlock(price: AdvertisedPrice) {
  return <AdvertisedBlock price={price} />
}

/** The filter for prices advertised at any time of a day, in the user's time zone; undefined without a day. */
function filterOfDay(day: string): string | undefined {
  if (day === '') return undefined
  return `fromAt <= date("${day}") && (untilAt == null || untilAt >= date("${day}"))`
}

/** The day of such a filter; empty for other filters. */
function dayOfFilter(filter: string | undefined): string {
  const [, day = ''] = /^fromAt <= date\("(\d{4}-\d{2}-\d{2})"\)/.exec(filter ?? '') ?? []
  return filterOfDay(day) === filter ? day : ''
}
