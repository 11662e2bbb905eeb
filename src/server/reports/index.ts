// Reports takes what other domains know out of the product: any list as a file, and the reports there are.
// It does not own what is in them: lists say their columns, and who may see which.
// Its rules come from docs/decisions.
export { comparisonExport } from './export-comparison.ts'
export { exportHandlers, exportJob } from './export-list.ts'
export { reportHandlers } from './make-report.ts'
export { userAccessReview } from './user-access-review.ts'
