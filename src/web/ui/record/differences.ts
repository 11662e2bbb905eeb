/** How the fields of a form are called, in its order. */
export type Labels<Values> = Readonly<Record<keyof Values & string, string>>

/** The names of the fields in which two versions of a form differ, in the order of its labels. */
export function findDifferences<Values extends Record<string, unknown>>(
  labels: Labels<Values>,
  mine: Values,
  theirs: Values,
): string[] {
  return Object.keys(labels).filter((name) => JSON.stringify(mine[name]) !== JSON.stringify(theirs[name]))
}
