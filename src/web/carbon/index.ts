// What other screens use of the carbon screens.
export { CARBON_STEPS } from './inventories/wizard/carbon-steps.ts'
export {
  atLeast,
  type LineRef,
  lineText,
  type Method,
  wholeTotal,
} from './results/insights/insight-labels.ts'
