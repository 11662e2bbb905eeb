import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Sent } from '#contract/endpoint.ts'
import type { Selection } from '#contract/lists/selection.ts'
import { BulkPricePreview } from '#contract/vehicles/vehicles/bulk-prices.ts'
import { vehicles } from '#contract/vehicles/vehicles/vehicles.ts'
import { queryClient, send } from '#web/api/query.ts'

/** How the price of selected vehicles changes. */
export type PriceChange = Sent<typeof vehicles.previewPrices>['price']

const DEBOUNCE_MS = 250

const preview = send(vehicles.previewPrices)

const keyFor = (selection: Selection, price: PriceChange | null) => [
  'preview of prices',
  JSON.stringify([selection, price]),
]

/** What a change would do now, a moment after typing pauses. `price`: null while the form has errors. */
export function usePricePreview(selection: Selection, price: PriceChange | null) {
  const [text] = useDebouncedValue(JSON.stringify(price), DEBOUNCE_MS)
  const isSettled = text === JSON.stringify(price)
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: keyFor(selection, price),
    queryFn: () => {
      if (price === null) throw new Error('There is nothing to preview.')
      return preview({ selection, price })
    },
    enabled: price !== null && isSettled,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 60_000,
  })
  const isCurrent = price !== null && isSettled && data !== undefined && !isPlaceholderData && !isFetching
  return {
    data: price === null ? undefined : data,
    error,
    isFetching,
    isCurrent,
    retry: () => void refetch(),
  }
}

/** What the user saw of a change. */
export function seenPreview(selection: Selection, price: PriceChange): string {
  const shown = BulkPricePreview.safeParse(queryClient.getQueryData(keyFor(selection, price)))
  return shown.success ? shown.data.seen : ''
}

/** After the effect turned out to be another one by now. */
export const previewAgain = () => queryClient.invalidateQueries({ queryKey: ['preview of prices'] })
