import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import { SOURCE_TYPES, type SourceType } from '#contract/carbon/inventories/source-types.ts'

export const FREQUENCY_NAMES: Record<EmissionSource['frequency'], string> = {
  month: 'Every month',
  quarter: 'Every quarter',
  year: 'Once a year',
  once: 'Once',
}

export const METHOD_NAMES: Record<EmissionSource['method'], string> = {
  calculated: 'Calculated by a factor',
  own_factor: 'Own factor',
  direct: 'Emissions measured',
  estimate: 'Estimated',
  meter: 'Meter readings',
}

/** The kinds of source by scope, in order. */
export const SCOPE_GROUPS: readonly { title: string; types: readonly SourceType[] }[] = [
  { title: 'Scope 1', types: SOURCE_TYPES.filter(({ scope }) => scope === '1') },
  { title: 'Scope 2', types: SOURCE_TYPES.filter(({ scope }) => scope === '2') },
  { title: 'Scope 3', types: SOURCE_TYPES.filter(({ scope }) => scope.startsWith('3.')) },
]
