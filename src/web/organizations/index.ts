// The labels of facilities and consolidation approaches, for use in other domains.
export { LEVEL_NAMES, TYPE_NAMES, writePercent } from './facilities/facility-labels.ts'
export { CONSOLIDATION_HELP, CONSOLIDATION_NAMES } from './organization-labels.ts'
