import { unlessBlank, typeNumber } from '#contract/parsing/typed-number.ts'
import {
  destinationErrors,
  type LeadDestination,
  leadDestinationRecord,
} from '#contract/leads/destinations/lead-destinations.ts'
import { DESTINATION_KINDS, type DestinationKind } from '#contract/leads/routing/rule-choices.ts'
import { labelOf } from '#contract/record.ts'
import { type FormPart, recordForm } from '#web/ui/record/record-form.ts'
import { showValue } from '#web/ui/record/show-record-value.ts'

/** The weight and caps of a member as typed; empty is 1 and no limit. */
type TypedShare = { userId: string; weight: string; openCap: string; dailyCap: string }
type Typed = { memberShares: TypedShare[]; dailyCap: string }
type Limits = Pick<LeadDestination, 'dailyCap' | 'memberShares'>

/** A row for each member: as before, or without weight and caps. */
export function sharesOf(memberIds: readonly string[], rows: readonly TypedShare[]): TypedShare[] {
  const plain = { weight: '', openCap: '', dailyCap: '' }
  return memberIds.map((userId) => rows.find((row) => row.userId === userId) ?? { userId, ...plain })
}

/** Limits as typed; empty is no limit. */
const limits: FormPart<'memberShares' | 'dailyCap', LeadDestination, Typed, Limits> = {
  fields: ['memberShares', 'dailyCap'],
  labels: { memberShares: 'Weights and caps', dailyCap: 'Leads per day' },
  blank: { memberShares: [], dailyCap: '' },
  toValues: ({ memberIds, memberShares, dailyCap }) => ({
    memberShares: sharesOf(
      memberIds,
      memberShares.map(({ userId, weight, ...caps }) => ({
        userId,
        weight: weight === 1 ? '' : typeNumber(weight),
        openCap: typeNumber(caps.openCap),
        dailyCap: typeNumber(caps.dailyCap),
      })),
    ),
    dailyCap: typeNumber(dailyCap),
  }),
  toInput: ({ memberShares, dailyCap }) => ({
    memberShares: memberShares.map(({ userId, weight, ...caps }) => ({
      userId,
      weight: unlessBlank(weight) ?? 1,
      openCap: unlessBlank(caps.openCap),
      dailyCap: unlessBlank(caps.dailyCap),
    })),
    dailyCap: unlessBlank(dailyCap),
  }),
  check: (_values, sentences) => sentences,
}

const form = recordForm(leadDestinationRecord, limits)
export type DestinationValues = typeof form.blank

/** The fields that a kind of destination uses, besides those of every kind. */
type KindField = 'toEmail' | 'url' | 'userId' | 'memberIds'
const FIELDS_OF: Readonly<Record<DestinationKind, readonly KindField[]>> = {
  adf: ['toEmail'],
  email: ['toEmail'],
  webhook: ['url'],
  user: ['userId'],
  team: ['memberIds'],
}
export const usesField = (kind: DestinationKind, name: KindField): boolean => FIELDS_OF[kind].includes(name)

/** The form of a destination. What its kind doesn't use is cleared when it is saved. */
export const destinationForm = {
  ...form,
  toInput: (values: DestinationValues) => {
    const input = form.toInput(values)
    const { kind } = values
    return {
      ...input,
      toEmail: usesField(kind, 'toEmail') ? input.toEmail : null,
      url: usesField(kind, 'url') ? input.url : null,
      userId: usesField(kind, 'userId') ? input.userId : null,
      memberIds: usesField(kind, 'memberIds') ? input.memberIds : [],
      memberShares: usesField(kind, 'memberIds') ? input.memberShares : [],
    }
  },
  check: (values: DestinationValues): Record<string, string> => {
    const { kind } = values
    const errors = Object.fromEntries(
      Object.entries(form.check(values)).filter(
        ([name]) =>
          (!name.startsWith('memberShares') || usesField(kind, 'memberIds')) &&
          ((name !== 'toEmail' && name !== 'url' && name !== 'userId') || usesField(kind, name)),
      ),
    )
    const missing = destinationErrors({
      kind,
      toEmail: values.toEmail.trim() || null,
      url: values.url.trim() || null,
      userId: values.userId || null,
    })
    return { ...missing, ...errors }
  },
}

/** A field's display text, for the comparison of two versions. */
export function showField(
  name: string,
  values: DestinationValues,
  users: ReadonlyMap<string, string>,
): string {
  if (name === 'kind') return labelOf(DESTINATION_KINDS, values.kind)
  if (name === 'memberIds')
    return values.memberIds.map((id) => users.get(id) ?? 'Former user').join(', ') || 'None'
  if (name === 'memberShares') {
    const limit = (text: string) => text || 'no limit'
    const texts = values.memberShares.map(
      ({ userId, weight, openCap, dailyCap }) =>
        `${users.get(userId) ?? 'Former user'}: weight ${weight || '1'}, open leads ${limit(openCap)}, per day ${limit(dailyCap)}`,
    )
    return texts.join('; ') || 'None'
  }
  if (name === 'userId') return users.get(values.userId) ?? showValue(values.userId)
  if (name === 'dailyCap' && values.dailyCap === '') return 'No limit'
  return showValue({ ...values }[name])
}
