import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { organizations } from '#contract/organizations/organizations.ts'
import { query } from '#web/api/query.ts'

/** For all organizations or for one. Users of one organization have no choice. */
export function OrganizationField(props: {
  value: string
  error: unknown
  isReadOnly?: boolean
  onChange: (organizationId: string) => void
}) {
  const { data = [] } = useQuery(query(organizations.listAll, {}))
  if (data.length < 2) return null
  return (
    <Select
      label="Organization"
      className="fc-wide"
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      value={props.value || null}
      error={typeof props.error === 'string' ? props.error : undefined}
      onChange={(id) => props.onChange(id ?? '')}
      readOnly={props.isReadOnly === true}
      placeholder="All organizations"
      searchable
      clearable
      description="If you choose one, users in other organizations don't see the questionnaire."
    />
  )
}
