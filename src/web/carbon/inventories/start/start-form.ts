import type { z } from 'zod'
import {
  type DENOMINATOR_KINDS,
  findInventoryMismatches,
  SCOPE3_CATEGORIES,
} from '#contract/carbon/inventories/inventory-schema.ts'
import { type Inventory, NewInventory } from '#contract/carbon/inventories/inventories.ts'
import { fieldSentences } from '#contract/field-sentences.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'
import { CONSOLIDATION_NAMES } from '#web/organizations/index.ts'

type CategoryRow = Inventory['scope3'][number]
export type DenominatorRow = {
  kind: (typeof DENOMINATOR_KINDS)[number]
  name: string
  amount: string
  unit: string
}

/** The values of the form: text for typed and selected values, empty if not given. */
export type StartValues = {
  name: string
  periodStart: string
  periodEnd: string
  boundary: Inventory['boundary']
  gwpSet: Inventory['gwpSet']
  /** Which values of the GWP set; 0 for a new inventory, which uses the newest. */
  gwpEdition: number
  yearRule: Inventory['yearRule']
  datasets: string[]
  isBaseYear: boolean
  recalculationThreshold: string
  ownerId: string
  reviewerId: string
  approverId: string
  twoPersonApproval: boolean
  scope3: CategoryRow[]
  denominators: DenominatorRow[]
}

/** Field labels in form order; also used to compare a stale inventory. */
export const START_NAMES: Record<keyof StartValues, string> = {
  name: 'Name',
  periodStart: 'From',
  periodEnd: 'To',
  boundary: 'Consolidation approach',
  isBaseYear: 'Base year',
  recalculationThreshold: 'Recalculation threshold, %',
  gwpSet: 'GWP set',
  gwpEdition: 'GWP values',
  yearRule: 'Factor edition',
  datasets: 'Preferred datasets',
  scope3: 'Scope 3',
  denominators: 'Intensity',
  ownerId: 'Owner',
  reviewerId: 'Reviewer',
  approverId: 'Approver',
  twoPersonApproval: 'Two-person approval',
}

export const DENOMINATOR_NAMES: Record<DenominatorRow['kind'], string> = {
  revenue: 'Revenue',
  floor_area: 'Floor area',
  staff: 'Employees',
  vehicles_sold: 'Vehicles sold',
  own: 'Custom',
}

export const RELEVANCE_NAMES: Record<CategoryRow['relevance'], string> = {
  relevant: 'Relevant',
  not_relevant: 'Not relevant',
  not_assessed: 'Not assessed',
}

export const BLANK_DENOMINATOR: DenominatorRow = { kind: 'revenue', name: '', amount: '', unit: '' }

type OtherInventory = Pick<Inventory, 'organizationId' | 'boundary' | 'status' | 'periodStart' | 'periodEnd'>

/**
 * The values of a new inventory, for the calendar year before `today`; if it overlaps one of the organization, for the present
 * year, or the latest free year before.
 */
export function blankStart(
  today: string,
  { organizationId = '', others = [] }: { organizationId?: string; others?: readonly OtherInventory[] } = {},
): StartValues {
  const present = Number(today.slice(0, 4))
  const taken = others.filter(
    (one) =>
      one.organizationId === organizationId && one.boundary === 'operational' && one.status !== 'restated',
  )
  const isFree = (year: number) =>
    taken.every((one) => one.periodEnd < `${year}-01-01` || one.periodStart > `${year}-12-31`)
  const years = [present - 1, present, ...Array.from({ length: 30 }, (_, back) => present - 2 - back)]
  const year = years.find(isFree) ?? present - 1
  return {
    name: `Inventory ${year}`,
    periodStart: `${year}-01-01`,
    periodEnd: `${year}-12-31`,
    boundary: 'operational',
    gwpSet: 'AR6',
    gwpEdition: 0,
    yearRule: 'edition',
    datasets: [],
    isBaseYear: false,
    recalculationThreshold: '5',
    ownerId: '',
    reviewerId: '',
    approverId: '',
    twoPersonApproval: true,
    scope3: SCOPE3_CATEGORIES.map((_, at) => ({ category: at + 1, relevance: 'not_assessed', reason: '' })),
    denominators: [],
  }
}

export function toStartValues(inventory: Inventory): StartValues {
  const { name, periodStart, periodEnd, boundary, gwpSet, yearRule, datasets, isBaseYear } = inventory
  const { recalculationThreshold, ownerId, reviewerId, approverId, twoPersonApproval } = inventory
  return {
    name,
    periodStart,
    periodEnd,
    boundary,
    gwpSet,
    gwpEdition: inventory.gwpEdition,
    yearRule,
    isBaseYear,
    recalculationThreshold,
    twoPersonApproval,
    datasets: [...datasets],
    ownerId: ownerId ?? '',
    reviewerId: reviewerId ?? '',
    approverId: approverId ?? '',
    scope3: inventory.scope3.map((row) => ({ ...row, reason: row.reason ?? '' })),
    denominators: inventory.denominators.map((row) => ({ ...row, name: row.name ?? '' })),
  }
}

/** The form values in the shape of the contract. */
export function toStartInput({
  denominators,
  gwpEdition: _gwpEdition,
  ...values
}: StartValues): z.input<typeof NewInventory> {
  return {
    ...values,
    denominators: denominators.map(({ kind, name, amount, unit }) => ({
      kind,
      amount,
      unit,
      name: kind === 'own' ? name : null,
    })),
  }
}

/** An error sentence per invalid field, from the contract. */
export function checkStart(values: StartValues): Record<string, string> {
  const { error, data } = NewInventory.safeParse(toStartInput(values))
  return error ? fieldSentences(error) : findInventoryMismatches(data)
}

/** A field as text, for the comparison of a stale inventory. */
export function showStartField(name: string, values: StartValues): string {
  switch (name) {
    case 'boundary':
      return CONSOLIDATION_NAMES[values.boundary]
    case 'scope3':
      return showValue(
        values.scope3.map(
          ({ category, relevance }) => `${category} ${RELEVANCE_NAMES[relevance].toLowerCase()}`,
        ),
      )
    case 'denominators':
      return showValue(
        values.denominators.map(({ kind, name: own, amount, unit }) => {
          const title = kind === 'own' ? own : DENOMINATOR_NAMES[kind]
          return `${title} ${amount} ${unit}`
        }),
      )
    case 'twoPersonApproval':
    case 'isBaseYear':
      return values[name] ? 'Yes' : 'No'
    case 'gwpEdition':
      return `Edition ${values.gwpEdition}`
    case 'datasets':
      return `${values.datasets.length} preferred`
    default:
      return showValue({ ...values }[name])
  }
}
