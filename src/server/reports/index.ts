// Reports exports data from other domains: any list as a file, and predefined reports.
// It does not own their content: lists define their columns and who can see them.
// Its rules come from docs/decisions.
export { comparisonExport } from './export-comparison.ts'
export { leadResponseExport } from './export-lead-responses.ts'
export { exportHandlers, exportJob } from './export-list.ts'
export { makePdfs } from './pdf.ts'
export { reportHandlers } from './make-report.ts'
export { assessmentAnswersReport, assessmentMatrix } from './assessment-reports.ts'
export { userAccessReview } from './user-access-review.ts'
