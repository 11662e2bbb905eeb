import { Checkbox, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { carbonInventories, type Inventory } from '#contract/carbon/inventories/inventories.ts'
import { query } from '#web/api/query.ts'
import { FormSection } from '#web/ui/form/FormSection.tsx'
import type { StartRecord } from './start-record.ts'

type Props = {
  record: StartRecord
  organizationId: string
  /** Has the names of people who have left the organization since. */
  inventory: Inventory | null
}

const ROLES = ['ownerId', 'reviewerId', 'approverId'] as const

/** The owner, reviewer and approver of an inventory. */
export function PeopleSection({ record, organizationId, inventory }: Props) {
  const { field, form, change, isReadOnly } = record
  const { data: people = [] } = useQuery(query(carbonInventories.people, { organization: organizationId }))
  const former = [
    { id: inventory?.ownerId, name: inventory?.ownerName },
    { id: inventory?.reviewerId, name: inventory?.reviewerName },
    { id: inventory?.approverId, name: inventory?.approverName },
  ].flatMap(({ id, name }) => (id && people.every((one) => one.id !== id) ? [{ id, name: name ?? id }] : []))
  const choices = [
    ...new Map([...people, ...former].map(({ id, name }) => [id, { value: id, label: name }])).values(),
  ]
  return (
    <FormSection title="People" text="Who owns, reviews and approves this inventory.">
      {ROLES.map((role) => (
        <Select
          key={role}
          {...field(role)}
          data={choices}
          value={form.values[role] || null}
          onChange={(value) => change({ [role]: value ?? '' })}
          searchable
          clearable
          nothingFoundMessage="No matches"
        />
      ))}
      <Checkbox
        label="Two-person approval"
        description={<bdi>The approver must be someone other than the owner.</bdi>}
        checked={form.values.twoPersonApproval}
        disabled={isReadOnly}
        onChange={(event) => change({ twoPersonApproval: event.currentTarget.checked })}
      />
    </FormSection>
  )
}
