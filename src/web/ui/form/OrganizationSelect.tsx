import { Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { organizations } from '#contract/organizations/organizations.ts'
import { query } from '#web/api/query.ts'

/**
 * Selects an organization of the customer: `<OrganizationSelect {...record.field('organizationId')} />`. Renders
 * nothing if there is only one.
 */
export function OrganizationSelect(props: Omit<SelectProps, 'data'>) {
  const { data = [] } = useQuery(query(organizations.listAll, {}))
  if (data.length <= 1) return null
  return (
    <Select
      {...props}
      data={data.map(({ id, name }) => ({ value: id, label: name }))}
      searchable
      allowDeselect={false}
    />
  )
}
