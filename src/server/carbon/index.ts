// Carbon owns units, warming potentials, emission factors and what they are chosen by.
// It does not own vehicles (inventory) nor organizations, which it only refers to.
// Its rules come from the GHG Protocol and the publishers of factors; docs/decisions has ours.
export { factorSource } from './factor-rows.ts'
export { factorHandlers } from './factors.ts'
export { loadLibrary } from './load-library.ts'
export { addOwnFactor } from './own-factors.ts'
