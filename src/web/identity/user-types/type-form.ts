import { fieldSentences } from '#contract/field-sentences.ts'
import {
  NewUserType,
  REACHES,
  type UserType,
  type UserTypeChoice,
} from '#contract/identity/user-types/user-types.ts'
import { can, describe, Func, Opr } from '#contract/permissions.ts'
import type { Labels } from '#web/ui/record/differences.ts'

export const REACH_NAMES: Record<UserType['reach'], string> = {
  organization: 'Own organization',
  customer: 'Whole customer',
}
export const FACTOR_NAMES: Record<TypeValues['secondFactor'], string> = {
  auto: 'Asked for if it grants leads or submissions',
  yes: 'Asked for',
  no: 'Not asked for',
}
/** What it takes to let a type grant more. */
export const ADMINISTER = can(Func.userTypes, Opr.administer)
export const REACH_CHOICES = REACHES.map((value) => ({ value, label: REACH_NAMES[value] }))

/** `startFrom`: the number of the type whose grants are copied, empty for none. Only a new type has it. */
export type TypeValues = {
  name: string
  parentId: string
  reach: UserType['reach']
  /** `auto`: as what a new type grants asks for. */
  secondFactor: 'auto' | 'yes' | 'no'
  startFrom: string
}

export const FIELD_NAMES: Labels<TypeValues> = {
  name: 'Name',
  parentId: 'Under',
  reach: 'Reach',
  secondFactor: 'Second factor',
  startFrom: 'Start from',
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

/** A sentence for each field that is wrong; the contract's own. */
export function checkType(values: TypeValues): Record<string, string> {
  const { error } = NewUserType.safeParse({ userType: toInput(values) })
  return error ? fieldSentences(error) : {}
}

type Widening = {
  /** Whether the person administers user types (3, 8). */
  mayAdminister: boolean
  /** Whether they see the whole customer themselves. */
  seesCustomer: boolean
}

/**
 * Why the reach of a type is not to be changed, as a sentence; null where it may be. To reach further is to be allowed
 * more, so the server takes the right for it (docs/SPEC-GAPS.md); one that reaches all may always be narrowed.
 * @param reach the type's own, as it is saved; null for a new one.
 */
export function whyFixedReach(reach: UserType['reach'] | null, by: Widening): string | null {
  if (reach === 'customer') return null
  if (!by.mayAdminister)
    return `Only who holds ${describe(ADMINISTER)} gives the reach of the whole customer.`
  return by.seesCustomer
    ? null
    : 'Your own user type reaches one organization, so this one reaches no further.'
}

/** The types that one may stand under: not itself, and nothing below it. */
export function findParents(choices: readonly UserTypeChoice[], id: string | null): UserTypeChoice[] {
  const below = new Set(id === null ? [] : [id])
  // Parents come before children, so one way through finds the whole subtree.
  for (const choice of choices) {
    if (choice.parentId !== null && below.has(choice.parentId)) below.add(choice.id)
  }
  return choices.filter((choice) => !below.has(choice.id))
}
