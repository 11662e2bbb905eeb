import type { ReactNode } from 'react'
import { type CustomField, customFieldName } from '#contract/customers/custom-fields/custom-fields.ts'
import { NO_WORDS, YES_WORDS } from '#contract/feeds/mappings/read-custom-text.ts'
import type { Vehicle } from '#contract/vehicles/vehicles/vehicles.ts'
import type { GridChoice, GridColumn } from '#web/ui/grid/grid-column.ts'
import { formatPrice, nameVehicle, STATUS_NAMES } from '../vehicle-labels.ts'

const STATUSES: readonly GridChoice[] = [...STATUS_NAMES].map(([value, label]) => ({ value, label }))

const YES_OR_NO: readonly GridChoice[] = [
  { value: 'yes', label: 'Yes', aliases: YES_WORDS },
  { value: 'no', label: 'No', aliases: NO_WORDS },
]

/** Column widths by type, and the width of a header letter and the padding, in px. */
const WIDTHS = { text: 168, number: 104, date: 112, flag: 88, choice: 132 } as const
const LETTER_WIDTH = 7
const PADDING = 24

/** A custom field as a column. A pasted header may have the field's name with or without the unit. */
function customColumn(field: CustomField): GridColumn {
  const { name, kind, unit, choices } = field
  const title = unit === null ? name : `${name} (${unit})`
  const width = Math.max(WIDTHS[kind], title.length * LETTER_WIDTH + PADDING)
  const given = { key: customFieldName(field), title, aliases: [name, field.key], width }
  if (kind === 'flag') return { ...given, kind: 'choice', choices: YES_OR_NO }
  if (kind !== 'choice') return { ...given, kind }
  return { ...given, kind, choices: choices.map((value) => ({ value, label: value })) }
}

type GridColumns = {
  vehicles: readonly Vehicle[]
  /** Lots to choose from; the vehicles' current lots are always added. */
  lots: readonly GridChoice[]
  /** The custom fields that are shown. */
  own: readonly CustomField[]
  /** Shows the total price of a vehicle. */
  showPrice?: (vehicle: Pick<Vehicle, 'id'>, price: string) => ReactNode
}

/** The saved total price. */
const totalOf = (vehicle: Vehicle | undefined): string =>
  vehicle ? formatPrice(vehicle.totalPriceCents, vehicle.currency) : ''

/** The columns of the grid. */
export function columnsOf({ vehicles, lots, own: fields, showPrice }: GridColumns): GridColumn[] {
  const currency = vehicles[0]?.currency
  const byId = new Map(vehicles.map((vehicle) => [vehicle.id, vehicle]))
  const nameOf = (id: string) => {
    const vehicle = byId.get(id)
    return vehicle ? [nameVehicle(vehicle), vehicle.trim].filter(Boolean).join(' ') : ''
  }
  const own = new Map(vehicles.map(({ lotId, lotName }) => [lotId, { value: lotId, label: lotName }]))
  for (const lot of lots) own.set(lot.value, { ...own.get(lot.value), ...lot })
  return [
    {
      key: 'name',
      title: 'Vehicle',
      kind: 'text',
      width: 216,
      isFixed: true,
      text: ({ key }) => nameOf(key),
    },
    {
      key: 'vin',
      title: 'VIN',
      kind: 'text',
      width: 168,
      isFixed: true,
      text: ({ key }) => byId.get(key)?.vin ?? '',
    },
    { key: 'stock', title: 'Stock number', kind: 'text', aliases: ['Stock'], width: 108 },
    {
      key: 'priceCents',
      title: 'Price before rules',
      aliases: ['Price'],
      kind: 'number',
      width: 136,
      ...(currency !== undefined && { currency }),
    },
    { key: 'status', title: 'Status', kind: 'choice', width: 132, choices: STATUSES },
    { key: 'statusReason', title: 'Reason', kind: 'text', width: 168 },
    { key: 'lotId', title: 'Lot', kind: 'choice', width: 168, choices: [...own.values()] },
    { key: 'tags', title: 'Tags', kind: 'text', width: 184 },
    {
      key: 'totalPrice',
      title: 'Total price',
      kind: 'number',
      width: 104,
      isFixed: true,
      text: ({ key }) => totalOf(byId.get(key)),
      ...(showPrice && { show: (row) => showPrice({ id: row.key }, totalOf(byId.get(row.key))) }),
    },
    ...fields.map(customColumn),
  ]
}
