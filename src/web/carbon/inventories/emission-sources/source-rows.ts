import type { CustomSource } from '#contract/carbon/inventories/custom-sources.ts'
import type { EmissionSource } from '#contract/carbon/inventories/assignments.ts'
import { customSourceId } from '#contract/carbon/inventories/source-names.ts'
import { SOURCE_TYPES, defaultsFor, findSourceType } from '#contract/carbon/inventories/source-types.ts'

/** A row of the matrix: a standard source, or a custom one. */
export type SourceRow = Readonly<{
  /** The source type. */
  id: string
  title: string
  scope: string
  /** Null: a standard source, or one that was removed. */
  custom: CustomSource | null
}>
export type SourceGroup = Readonly<{ title: string; rows: readonly SourceRow[] }>

const GROUPS = [
  { title: 'Scope 1', isIn: (scope: string) => scope === '1' },
  { title: 'Scope 2', isIn: (scope: string) => scope === '2' },
  { title: 'Scope 3', isIn: (scope: string) => scope.startsWith('3.') },
]

/** The rows of the matrix by scope: standard sources, custom ones, and removed ones that the inventory still has. */
export function sourceGroups(
  customs: readonly CustomSource[],
  sources: readonly EmissionSource[],
): SourceGroup[] {
  const rows = new Map<string, SourceRow>()
  for (const { id, title, scope } of SOURCE_TYPES) rows.set(id, { id, title, scope, custom: null })
  for (const custom of customs)
    rows.set(custom.sourceType, {
      id: custom.sourceType,
      title: custom.name,
      scope: custom.scope,
      custom,
    })
  for (const { sourceType, sourceName, scope } of sources)
    if (!rows.has(sourceType))
      rows.set(sourceType, { id: sourceType, title: sourceName ?? sourceType, scope, custom: null })
  const categoryOf = ({ scope }: SourceRow) => Number(scope.split('.')[1] ?? 0)
  return GROUPS.map(({ title, isIn }) => ({
    title,
    rows: [...rows.values()]
      .filter(({ scope }) => isIn(scope))
      .toSorted((one, other) => categoryOf(one) - categoryOf(other)),
  }))
}

/** The name of a source type; a custom one has its name only among the given ones. */
export function titleOfType(sourceType: string, customs: readonly CustomSource[]): string {
  const custom = customs.find((one) => one.sourceType === sourceType)
  return custom?.name ?? findSourceType(sourceType)?.title ?? 'Removed source'
}

/** The activity path of a new source of a type in a country; null if the type was removed. */
export function activityOfType(
  sourceType: string,
  country: string | null,
  customs: readonly CustomSource[],
): string | null {
  if (customSourceId(sourceType) !== null)
    return customs.find((one) => one.sourceType === sourceType)?.activity ?? null
  const type = findSourceType(sourceType)
  return type ? defaultsFor(type, country).activity : null
}
