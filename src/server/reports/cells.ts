import { sql, type RawBuilder } from 'kysely'
import type { Column } from './read-export.ts'

/** A number to the last digit, as text: it goes into a file as it is. */
export class Exact {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A day or a moment as the wall clock shows it, as if it were UTC; `text` is how people write it. */
export class Clock {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toDate(): Date {
    return new Date(`${this.text.replace(' ', 'T')}${this.text.includes(' ') ? 'Z' : ''}`)
  }
}

/** What stands in a cell of an export, whatever the file. Null: nothing. */
export type Cell = string | number | Exact | Clock | null

/** "Changed (America/Los_Angeles)": moments are shown in one zone, and the head names it. */
export function headOf({ field }: Column, zone: string): string {
  if (field.kind === 'moment') return `${field.title} (${zone})`
  return field.unit === undefined ? field.title : `${field.title} (${field.unit})`
}

/** A column in SQL, as `readCell` takes it: lists joined, days and moments as text of the zone. */
export function cellSql({ field, value }: Column, zone: string): RawBuilder<unknown> {
  switch (field.kind) {
    case 'texts':
    case 'references':
      return sql`array_to_string(${value}, ', ')`
    case 'date':
      return sql`to_char(${value}, 'YYYY-MM-DD')`
    case 'moment':
      return sql`to_char(${value} at time zone ${zone}::text, 'YYYY-MM-DD HH24:MI:SS')`
    case 'integer':
    case 'decimal':
    case 'money':
      return sql`(${value})::text`
    default:
      return value
  }
}

/** Makes the cell of what the database answered. */
export function readCell({ field }: Column, raw: unknown): Cell {
  if (raw === true || raw === false) return raw ? 'Yes' : 'No'
  // Integers alone come as numbers.
  const text = typeof raw === 'number' ? String(raw) : raw
  if (typeof text !== 'string' || text === '') return null
  switch (field.kind) {
    case 'money':
      return new Exact(inUnits(text))
    case 'decimal':
      return new Exact(text)
    case 'integer':
      return Number.isSafeInteger(Number(text)) ? Number(text) : new Exact(text)
    case 'date':
    case 'moment':
      return new Clock(text)
    case 'choice':
      return field.choices?.find(({ value }) => value === text)?.label ?? text
    default:
      return text
  }
}

/** Cents as units of currency with two places, to the last digit. */
function inUnits(cents: string): string {
  const digits = cents.replace('-', '').padStart(3, '0')
  return `${cents.startsWith('-') ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
