import { fieldSentences } from '#contract/field-sentences.ts'
import {
  NewUserType,
  REACHES,
  type UserType,
  type UserTypeChoice,
} from '#contract/identity/user-types/user-types.ts'
import { can, Func, Opr } from '#contract/permissions.ts'
import { describe } from '#contract/permission-text.ts'
import type { Labels } from '#web/ui/record/differences.ts'

export const REACH_NAMES: Record<UserType['reach'], string> = {
  organization: 'Own organizations',
  customer: 'All organizations',
}
export const FACTOR_NAMES: Record<TypeValues['secondFactor'], string> = {
  auto: 'Required if it grants leads or submissions',
  yes: 'Required',
  no: 'Not required',
}
/** Permission required to let a type grant more. */
export const ADMINISTER = can(Func.userTypes, Opr.administer)
export const REACH_CHOICES = REACHES.map((value) => ({ value, label: REACH_NAMES[value] }))

/** `startFrom`: ID of the type whose permissions are copied, empty for none. Only for a new type. */
export type TypeValues = {
  name: string
  parentId: string
  reach: UserType['reach']
  /** `auto`: decided by what the new type grants. */
  secondFactor: 'auto' | 'yes' | 'no'
  startFrom: string
}

export const FIELD_NAMES: Labels<TypeValues> = {
  name: 'Name',
  parentId: 'Parent type',
  reach: 'Access',
  secondFactor: 'Second factor',
  startFrom: 'Copy permissions from',
}

export function toValues({ name, parentId, reach, requiresSecondFactor }: UserType): TypeValues {
  const secondFactor = requiresSecondFactor ? 'yes' : 'no'
  return { name, parentId: parentId ?? '', reach, secondFactor, startFrom: '' }
}

export function toInput({ name, parentId, reach, secondFactor }: TypeValues) {
  return {
    name,
    reach,
    ...(parentId !== '' && { parentId }),
    ...(secondFactor !== 'auto' && { requiresSecondFactor: secondFactor === 'yes' }),
  }
}

/** Error messages by field, from the contract. */
export function checkType(values: TypeValues): Record<string, string> {
  const { error } = NewUserType.safeParse({ userType: toInput(values) })
  return error ? fieldSentences(error) : {}
}

type AccessRights = {
  /** Whether the caller administers user types (3, 8). */
  mayAdminister: boolean
  /** Whether the caller sees all organizations. */
  seesCustomer: boolean
}

/**
 * Why the access of a type can't be changed, as a sentence; null if it can. More access means more
 * permissions, so the server requires the right to grant them (docs/SPEC-GAPS.md). Access to all
 * organizations can always be reduced.
 * @param reach the saved value; null for a new type.
 */
export function whyFixedReach(reach: UserType['reach'] | null, by: AccessRights): string | null {
  if (reach === 'customer') return null
  if (!by.mayAdminister)
    return `Only users with ${describe(ADMINISTER)} can give access to all organizations.`
  return by.seesCustomer ? null : "Your own user type covers one organization, so this one can't cover more."
}

/** The possible parents of a type: not itself or any of its descendants. */
export function findParents(choices: readonly UserTypeChoice[], id: string | null): UserTypeChoice[] {
  const below = new Set(id === null ? [] : [id])
  // Parents come before children, so one pass finds the whole subtree.
  for (const choice of choices) {
    if (choice.parentId !== null && below.has(choice.parentId)) below.add(choice.id)
  }
  return choices.filter((choice) => !below.has(choice.id))
}
