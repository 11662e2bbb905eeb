/** The labels of a form's fields, in form order. */
export type Labels<Values> = Readonly<Record<keyof Values & string, string>>

/** The fields in which two versions of a form differ, in label order. */
export function findDifferences<Values extends Record<string, unknown>>(
  labels: Labels<Values>,
  mine: Values,
  theirs: Values,
): string[] {
  return Object.keys(labels).filter((name) => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]))
}
