import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type VehiclePrice, vehiclePrices } from '#contract/pricing/totals/vehicle-price.ts'
import type { VehicleRecord } from '#contract/vehicles/vehicles/vehicles.ts'
import { query } from '#web/api/query.ts'
import { formatPrice } from '../vehicle-labels.ts'
import { parseMoney } from '#web/customers/index.ts'

/** What buyers see with the price that is typed, after price rules and fees, beside what they see now. */
export function PriceEffect({ vehicle, typed }: { vehicle: VehicleRecord; typed: string }) {
  const cents = parseMoney(typed, vehicle.currency)
  const [priceCents] = useDebouncedValue(cents, 300)
  const isChanged = Number.isInteger(priceCents) && priceCents > 0 && priceCents !== vehicle.priceCents
  const now = useQuery({ ...query(vehiclePrices.get, { id: vehicle.id }), enabled: isChanged, staleTime: 0 })
  const after = useQuery({
    ...query(vehiclePrices.get, { id: vehicle.id, priceCents }),
    enabled: isChanged,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
  const isCurrent = isChanged && priceCents === cents && !after.isPlaceholderData
  const isBlank = (typed.trim() === '' || cents === 0) && (vehicle.priceCents ?? 0) > 0
  const effect =
    isCurrent && now.data !== undefined && after.data !== undefined ? effectOf(now.data, after.data) : ''
  const text = isBlank
    ? 'Without a price, no buyer sees this vehicle: it leaves the website and the channels.'
    : effect
  return (
    <output className="fc-wide fc-small fc-soft" aria-live="polite" hidden={text === ''}>
      <bdi>{text}</bdi>
    </output>
  )
}

function effectOf(now: VehiclePrice, after: VehiclePrice): string {
  if (after.totalCents === null) return ''
  const money = (cents: number) => formatPrice(cents, after.currency)
  const to = money(after.totalCents)
  if (now.totalCents === null) return `Total for buyers: ${to}.`
  if (after.ruleLines.some(({ kind }) => kind === 'special'))
    return `Total for buyers: ${to}. The special price on the Price tab stays in effect.`
  if (after.totalCents === now.totalCents) return `Total for buyers: ${to}, as now.`
  const rises =
    after.totalCents > now.totalCents &&
    now.base?.field === 'price' &&
    (after.base?.cents ?? 0) < now.base.cents
  const why = rises ? ' It goes up because a price rule no longer applies.' : ''
  return `Total for buyers: ${money(now.totalCents)} now, ${to} with this price.${why}`
}
