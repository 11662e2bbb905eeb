import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { useSearchable } from '#web/ui/list/use-searchable.ts'

/** Feed mappings as choices for a Select, with the chosen one even if it isn't among those loaded. */
export function useMappingNames(chosen: { id: string | null; name: string | null } | null) {
  const { rows, search } = useSearchable(providerMappings.list, { sort: 'name' })
  const names = new Map([
    ...(chosen?.id == null ? [] : [[chosen.id, chosen.name ?? 'Current mapping'] as const]),
    ...rows.map(({ id, name }) => [id, name] as const),
  ])
  return { choices: [...names].map(([value, label]) => ({ value, label })), search }
}
