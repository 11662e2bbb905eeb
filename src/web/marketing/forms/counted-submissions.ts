/** The filter of the submissions that a form's count includes: not those in quarantine, and no tests. */
export function countedSubmissions(formName: string): string {
  return `formName == ${JSON.stringify(formName)} && state != "quarantined" && isTest == false`
}
