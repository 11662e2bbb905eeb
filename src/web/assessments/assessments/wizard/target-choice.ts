import type { PlaceChoice } from '#contract/assessments/assessments/setup.ts'
import type { Target } from '#contract/assessments/targets/targets.ts'

/** Identifies an organization or a facility. */
export const keyOfPlace = ({
  organizationId,
  facilityId,
}: Pick<PlaceChoice, 'organizationId' | 'facilityId'>) => `${organizationId}/${facilityId ?? ''}`

/** Choices that differ from the saved targets, by the key of the place. */
export type Choice = ReadonlyMap<string, { place: PlaceChoice; isWanted: boolean }>

export const NO_CHOICE: Choice = new Map()

export const isWanted = (choice: Choice, place: PlaceChoice): boolean =>
  choice.get(keyOfPlace(place))?.isWanted ?? place.isTarget

/** Chooses or leaves out places. What equals the saved targets is no change. */
export function choose(choice: Choice, places: readonly PlaceChoice[], wanted: boolean): Choice {
  const next = new Map(choice)
  for (const place of places) {
    if (wanted === place.isTarget) next.delete(keyOfPlace(place))
    else next.set(keyOfPlace(place), { place, isWanted: wanted })
  }
  return next
}

/** What to send: places to add, and targets to remove. */
export function changesOf(
  choice: Choice,
  targets: readonly Pick<Target, 'id' | 'organizationId' | 'facilityId'>[],
): { added: PlaceChoice[]; removed: string[] } {
  const ids = new Map(targets.map((target) => [keyOfPlace(target), target.id]))
  const changed = [...choice.values()]
  return {
    added: changed.filter((one) => one.isWanted).map(({ place }) => place),
    removed: changed.flatMap((one) => (one.isWanted ? [] : (ids.get(keyOfPlace(one.place)) ?? []))),
  }
}

/** Places by organization, in the given order. */
export function byOrganization(
  places: readonly PlaceChoice[],
): { id: string; name: string; places: PlaceChoice[] }[] {
  const groups = new Map<string, { id: string; name: string; places: PlaceChoice[] }>()
  for (const place of places) {
    const { organizationId: id, organizationName: name } = place
    const group = groups.get(id) ?? { id, name, places: [] }
    group.places.push(place)
    groups.set(id, group)
  }
  return [...groups.values()]
}
