import { Checkbox, MultiSelect, Select, TextInput } from '@mantine/core'
import type { LeadDestination } from '#contract/leads/destinations/lead-destinations.ts'
import { DESTINATION_KINDS, type DestinationKind } from '#contract/leads/routing/rule-choices.ts'
import type { RecordFormState } from '#web/ui/record/use-record-form.ts'
import { type DestinationValues, sharesOf, usesField } from './destination-form.ts'
import { MemberShares } from './MemberShares.tsx'
import { TeamMembers } from './TeamMembers.tsx'

export type RoutingUser = Readonly<{ id: string; name: string }>

const KINDS = DESTINATION_KINDS.map(({ value, label }) => ({ value, label }))

/** What each kind does, below its name. */
const HELP: Readonly<Record<DestinationKind, string>> = {
  adf: 'Sends an ADF document by email. Most CRMs read it.',
  email: 'Sends the lead as a readable email.',
  webhook: 'Posts the lead as signed JSON to a URL.',
  user: 'Assigns the lead to one person in the inbox.',
  team: "Its members take turns. Without members, the lead waits in its lot's inbox for the first person to accept it.",
}

type Props = {
  record: RecordFormState<DestinationValues, LeadDestination>
  /** Null for a new one. */
  destination: LeadDestination | null
  users: readonly RoutingUser[]
}

/** The fields of a destination; those that its kind doesn't use are hidden. */
export function DestinationFields({ record, destination, users }: Props) {
  const { field, form, isReadOnly } = record
  const { kind, userId } = form.values
  return (
    <div className="fc-form-fields">
      <TextInput
        {...field('name')}
        {...(destination === null && { 'data-autofocus': true })}
        className="fc-wide"
        required
        maxLength={100}
        autoComplete="off"
      />
      <Select
        {...field('kind')}
        className="fc-wide"
        data={KINDS}
        allowDeselect={false}
        description={<bdi>{HELP[kind]}</bdi>}
      />
      {usesField(kind, 'toEmail') && (
        <TextInput
          {...field('toEmail')}
          className="fc-wide"
          type="email"
          required
          maxLength={254}
          autoComplete="off"
        />
      )}
      {usesField(kind, 'url') && (
        <TextInput
          {...field('url')}
          className="fc-wide"
          type="url"
          dir="ltr"
          required
          maxLength={1_000}
          placeholder="https://"
          autoComplete="off"
          description={
            <bdi>A public HTTPS address. Private networks are rejected, and redirects aren't followed.</bdi>
          }
        />
      )}
      {usesField(kind, 'userId') && (
        <Select
          {...field('userId')}
          className="fc-wide"
          value={userId || null}
          data={choicesOf(users, destination)}
          searchable
          required
          nothingFoundMessage="No matching user"
        />
      )}
      {usesField(kind, 'memberIds') && <Members {...{ record, destination, users }} />}
      <TextInput
        {...field('dailyCap')}
        inputMode="numeric"
        autoComplete="off"
        className="fc-amount"
        placeholder="No limit"
        description={<bdi>After that, the rule's other destinations or the next rule get the leads.</bdi>}
      />
      <Checkbox
        {...form.getInputProps('isActive', { type: 'checkbox' })}
        className="fc-wide"
        size="sm"
        label="Active"
        disabled={isReadOnly}
      />
    </div>
  )
}

/** The members of a team, and who of the saved ones is off. */
function Members({ record, destination, users }: Props) {
  const { form } = record
  const known = membersOf(users, destination)
  return (
    <>
      <MultiSelect
        {...record.field('memberIds')}
        onChange={(memberIds) => {
          form.setFieldValue('memberIds', memberIds)
          form.setFieldValue('memberShares', sharesOf(memberIds, form.values.memberShares))
        }}
        className="fc-wide"
        data={known}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear: Members' }}
        nothingFoundMessage="No matching user"
        description={
          <bdi>
            In this order. Members get only leads of stores where they work, and none while they are off.
          </bdi>
        }
      />
      <MemberShares
        record={record}
        nameOf={(userId) => known.find(({ value }) => value === userId)?.label ?? 'Former user'}
      />
      {destination?.kind === 'team' && <TeamMembers members={destination.members} />}
    </>
  )
}

/** Saved members stay choices, even if leads can't be given to them anymore. */
function membersOf(users: readonly RoutingUser[], destination: LeadDestination | null) {
  const former = (destination?.members ?? []).filter(({ userId }) => !users.some(({ id }) => id === userId))
  return [
    ...users.map(({ id, name }) => ({ value: id, label: name })),
    ...former.map(({ userId, name }) => ({ value: userId, label: name })),
  ]
}

/** The saved user stays a choice, even if leads can't be given to them anymore. */
function choicesOf(users: readonly RoutingUser[], destination: LeadDestination | null) {
  const choices = users.map(({ id, name }) => ({ value: id, label: name }))
  const { userId, userName } = destination ?? { userId: null, userName: null }
  if (userId === null || users.some(({ id }) => id === userId)) return choices
  return [...choices, { value: userId, label: userName ?? userId }]
}
