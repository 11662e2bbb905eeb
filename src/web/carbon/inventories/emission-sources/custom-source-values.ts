import { CustomSource, type SourceActivity } from '#contract/carbon/inventories/custom-sources.ts'
import { SCOPE3_CATEGORIES } from '#contract/carbon/inventories/inventory-schema.ts'

/** The values of the form. `activity` is null until one is chosen. */
export type SourceValues = {
  name: string
  scope: string
  activity: string | null
  unit: string
  label: string
  facilityIds: string[]
}

export const sourceValues = (source: CustomSource | null, facilityIds: readonly string[]): SourceValues => ({
  name: source?.name ?? '',
  scope: source?.scope ?? '',
  activity: source?.activity ?? null,
  unit: source?.unit ?? '',
  label: '',
  facilityIds: [...facilityIds],
})

/** The form of a source. A new one is assigned to the only facility, if there is one. The server checks it. */
export function sourceForm(facilities: readonly { id: string }[]) {
  const facilityIds = facilities.length === 1 ? facilities.map(({ id }) => id) : []
  return {
    schema: CustomSource,
    labels: LABELS,
    blank: sourceValues(null, facilityIds),
    toValues: (saved: CustomSource) => sourceValues(saved, facilityIds),
    toInput: (values: SourceValues) => ({ ...values, activity: values.activity ?? '' }),
    check: () => ({}),
  }
}

const LABELS = {
  name: 'Name',
  activity: 'Activity',
  scope: 'Scope',
  unit: 'Unit',
  facilityIds: 'Facilities',
  label: 'Meter or asset',
}

/** The values after an activity was chosen: its scope and unit are filled in, unless the chosen ones fit it. */
export function withActivity(values: SourceValues, found: SourceActivity | null): SourceValues {
  if (found === null) return { ...values, activity: ownActivity(values.name) }
  const { activity, scopes, units } = found
  return {
    ...values,
    activity,
    scope: scopes.includes(values.scope) ? values.scope : (scopes[0] ?? values.scope),
    unit: units.includes(values.unit) ? values.unit : (units[0] ?? values.unit),
  }
}

/** The path of an activity that is not in the library: "Welding gas" is `own/welding-gas`. */
export function ownActivity(name: string): string {
  const words = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g)
  return `own/${words?.join('-') ?? 'activity'}`
}

export const SCOPE_CHOICES = [
  { value: '1', label: 'Scope 1' },
  { value: '2', label: 'Scope 2' },
  ...SCOPE3_CATEGORIES.map((name, at) => ({ value: `3.${at + 1}`, label: `3.${at + 1} ${name}` })),
]
