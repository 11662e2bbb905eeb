// Owns the screens of inventories, activity data, factors, results and review; exports the steps and how figures are shown.
// Does not own the data, which other pages read through the contract.
// Rules: docs/decisions/0065-explaining-and-comparing.md.
export { CARBON_STEPS } from './inventories/wizard/carbon-steps.ts'
export { atLeast, wholeTotal } from './activity/insight-labels.ts'
