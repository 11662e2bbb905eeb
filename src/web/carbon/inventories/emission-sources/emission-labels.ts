import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import { SOURCE_TYPES, type SourceType } from '#contract/carbon/inventories/source-types.ts'

export const FREQUENCY_NAMES: Record<EmissionSource['frequency'], string> = {
  month: 'Monthly',
  quarter: 'Quarterly',
  year: 'Yearly',
  once: 'Once',
}

export const METHOD_NAMES: Record<EmissionSource['method'], string> = {
  calculated: 'Calculated with a factor',
  own_factor: 'Custom factor',
  direct: 'Measured emissions',
  estimate: 'Estimated',
  meter: 'Meter readings',
}

/** The source types by scope, in order. */
export const SCOPE_GROUPS: readonly { title: string; types: readonly SourceType[] }[] = [
  { title: 'Scope 1', types: SOURCE_TYPES.filter(({ scope }) => scope === '1') },
  { title: 'Scope 2', types: SOURCE_TYPES.filter(({ scope }) => scope === '2') },
  { title: 'Scope 3', types: SOURCE_TYPES.filter(({ scope }) => scope.startsWith('3.')) },
]
