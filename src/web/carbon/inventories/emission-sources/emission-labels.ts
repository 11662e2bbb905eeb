import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'

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
