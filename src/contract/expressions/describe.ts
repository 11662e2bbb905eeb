import type { FieldKind, Referred } from '../lists/list.ts'
import { readDay, readMoment, startOf } from './days.ts'
import type { LeafValue, RuleLeaf } from './leaf.ts'
import { operatorWords } from './operators.ts'
import type { Variable, Variables } from './variables.ts'

/** The name of a record, if it is already known. */
export type NameOf = (referred: Referred, id: string) => string | null | undefined

/** Describes a condition: "Days", "is over", "45". The value is '' if the operator needs none. */
export function describeLeaf(
  { field, operator, value }: RuleLeaf,
  variables: Variables,
  nameOf: NameOf,
): { field: string; operator: string; value: string } {
  const variable = Object.hasOwn(variables, field) ? variables[field] : undefined
  return {
    field: variable?.title ?? field,
    operator: operatorWords(operator, variable?.kind ?? 'text'),
    value: valueWords(value, variable, nameOf),
  }
}

function valueWords(value: LeafValue, variable: Variable | undefined, nameOf: NameOf): string {
  if (value === null) return ''
  if (typeof value === 'string') return oneWord(value, variable, nameOf)
  if ('daysAgo' in value) return dayWords(value.daysAgo)
  return value.map((one) => oneWord(one, variable, nameOf)).join(', ')
}

function oneWord(value: string, variable: Variable | undefined, nameOf: NameOf): string {
  const kind: FieldKind = variable?.kind ?? 'text'
  switch (kind) {
    case 'choice':
      return variable?.choices?.find((choice) => choice.value === value)?.label ?? value
    case 'reference':
    case 'references':
      return (variable?.refersTo === undefined ? null : nameOf(variable.refersTo, value)) ?? `ID ${value}`
    case 'integer':
    case 'decimal':
    case 'money':
      return `${grouped(value)}${variable?.unit === undefined ? '' : ` ${variable.unit}`}`
    case 'date':
    case 'moment':
      return timeWords(value)
    default:
      return value === '' ? '""' : value
  }
}

/** 25000 as 25,000. Done by hand, because formatters round. */
function grouped(digits: string): string {
  const [whole = '', places] = digits.split('.')
  const shown = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return places === undefined ? shown : `${shown}.${places}`
}

function dayWords(days: number): string {
  if (days === 0) return 'today'
  if (Math.abs(days) === 1) return days === 1 ? 'yesterday' : 'tomorrow'
  return days > 0 ? `${days} days ago` : `in ${-days} days`
}

const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const moment = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
})

function timeWords(value: string): string {
  const at = readDay(value)
  if (at !== null) return day.format(startOf(at))
  const milliseconds = readMoment(value)
  return milliseconds === null ? value : `${moment.format(milliseconds)} UTC`
}
