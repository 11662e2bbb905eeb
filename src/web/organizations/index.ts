// What other domains show of organizations: the words for how facilities count.
export { LEVEL_NAMES, TYPE_NAMES, writePercent } from './facilities/facility-labels.ts'
export { CONSOLIDATION_HELP, CONSOLIDATION_NAMES } from './organization-labels.ts'
