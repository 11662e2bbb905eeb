import type { List } from '#contract/lists/list.ts'

/** The path of a list that shows the rows of a rule: all rows without one. `more` has further parameters of its page. */
export function listUrl(
  { page }: Pick<List, 'page'>,
  filter: string,
  more: Readonly<Record<string, string>> = {},
): string {
  const parameters = new URLSearchParams({ ...(filter !== '' && { filter }), ...more })
  return parameters.size === 0 ? page : `${page}?${parameters}`
}
