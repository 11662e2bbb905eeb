import type { ReactNode } from 'react'
import type { ListField } from '#contract/lists/list.ts'
import { isRecord } from '#web/api/read-json.ts'
import { formatAgo, formatDay } from '#web/ui/layout/date-format.ts'
import { Status } from '#web/ui/controls/Status.tsx'

/** Kinds aligned at the end: numbers and dates. */
const AT_END = new Set<ListField['kind']>(['integer', 'decimal', 'money', 'date', 'moment'])

export function isAtEnd({ kind }: ListField): boolean {
  return AT_END.has(kind)
}

/**
 * The default cell of a field, by its kind. References show the name next to their ID (`lotId`, `lotName`), amounts
 * use their cents (`price`, `priceCents`).
 */
export function showValue(id: string, field: ListField, row: object): ReactNode {
  const values = isRecord(row) ? row : {}
  const value = values[id]
  switch (field.kind) {
    case 'flag':
      return value === true ? (
        <Status tone="good" mark="check">
          Yes
        </Status>
      ) : (
        <Status tone="mute" mark="dash">
          No
        </Status>
      )
    case 'choice':
      return <Words>{field.choices?.find((choice) => choice.value === value)?.label ?? value}</Words>
    case 'reference':
      return <Words>{values[`${id.replace(/Id$/, '')}Name`]}</Words>
    case 'texts':
    case 'references':
      return <Words>{Array.isArray(value) ? value.join(', ') : null}</Words>
    case 'integer':
    case 'decimal':
      return typeof value === 'number' ? withUnit(value.toLocaleString(), field.unit) : null
    case 'money':
      return showMoney(values[`${id}Cents`])
    case 'date':
      // A date has no time zone: parsed as UTC, it would be the day before in the Americas.
      return typeof value === 'string' ? formatDay(`${value}T00:00`) : null
    case 'moment':
      return typeof value === 'string' ? formatAgo(value) : null
    default:
      return <Words>{value}</Words>
  }
}

function Words({ children }: { children: unknown }) {
  if (typeof children !== 'string' || children === '') return null
  return <bdi title={children.length > LONG ? children : undefined}>{children}</bdi>
}

/** Longer texts may be truncated, so they get a tooltip. */
const LONG = 20

function withUnit(number: string, unit: string | undefined): string {
  return unit === undefined ? number : `${number}\u00a0${unit}`
}

/** Whole amounts without cents, to reduce clutter in a price column. */
function showMoney(cents: unknown): string | null {
  if (typeof cents !== 'number') return null
  const digits = cents % 100 === 0 ? 0 : 2
  return (cents / 100).toLocaleString(undefined, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  })
}
