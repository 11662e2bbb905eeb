import { sql, type RawBuilder } from 'kysely'
import type { Column } from './read-export.ts'

/** An exact decimal as text, written to files unchanged. */
export class Exact {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A date or local date-time, treated as UTC; `text` is its display form. */
export class Clock {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  toDate(): Date {
    return new Date(`${this.text.replace(' ', 'T')}${this.text.includes(' ') ? 'Z' : ''}`)
  }
}

/** The value of an export cell, for any file format. Null: empty. */
export type Cell = string | number | Exact | Clock | null

/** "Changed (America/Los_Angeles)": all moments are in one time zone, named in the header. */
export function headOf({ field }: Column, zone: string): string {
  if (field.kind === 'moment') return `${field.title} (${zone})`
  return field.unit === undefined ? field.title : `${field.title} (${field.unit})`
}

/** The SQL of a column for `readCell`: lists joined, dates and moments as text in the time zone. */
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

/** Converts a database value to a cell. */
export function readCell({ field }: Column, raw: unknown): Cell {
  if (raw === true || raw === false) return raw ? 'Yes' : 'No'
  // Only integers arrive as numbers.
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

/** Cents as an exact decimal with two places. */
function inUnits(cents: string): string {
  const digits = cents.replace('-', '').padStart(3, '0')
  return `${cents.startsWith('-') ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
