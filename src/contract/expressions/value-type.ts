import type { Value } from './tree.ts'

/** The basic type of a value. Choices and references are text. */
export function typeOf(value: Value): 'number' | 'text' | 'day' | 'moment' {
  switch (value.op) {
    case 'number':
    case 'minus':
    case 'sum':
    case 'size':
      return 'number'
    case 'text':
      return 'text'
    case 'day':
    case 'daysAgo':
      return 'day'
    case 'moment':
    case 'now':
      return 'moment'
    case 'choose':
      return typeOf(value.yes)
    default:
      if (value.kind === 'integer' || value.kind === 'decimal' || value.kind === 'money') return 'number'
      if (value.kind === 'date') return 'day'
      return value.kind === 'moment' ? 'moment' : 'text'
  }
}
