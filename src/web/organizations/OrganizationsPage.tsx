import { IconBuilding, IconPlus } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { ORGANIZATION_LIST } from '#contract/organizations/organization-list.ts'
import { type OrganizationRow, organizations } from '#contract/organizations/organizations.ts'
import { organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { EmptyState } from '#web/ui/feedback/EmptyState.tsx'
import { ListPage } from '#web/ui/list/ListPage.tsx'
import { CELLS, OrganizationBlock } from './organization-columns.tsx'

const route = getRouteApi('/shell/organizations')

/** The organizations of the customer with their set-up progress. */
export function OrganizationsPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const add = (
    <Action
      for={organizationProfiles.add}
      onClick={() => void navigate({ to: '/organizations/organization', search: { organization: 'new' } })}
      leftSection={<IconPlus size={16} aria-hidden="true" />}
    >
      Add organization
    </Action>
  )
  return (
    <ListPage
      list={ORGANIZATION_LIST}
      endpoint={organizations.list}
      search={search}
      onShow={(change, { replaces }) =>
        void navigate({ search: (before) => ({ ...before, ...change }), replace: replaces })
      }
      cells={CELLS}
      block={showBlock}
      rowId={(row) => row.id}
      rowName={(row) => row.name}
      searches="Name, time zone"
      actions={add}
      empty={
        <EmptyState
          tone="brand"
          icon={<IconBuilding size={18} />}
          title="No organizations yet"
          text="An organization is a legal entity or rooftop with its own people, lots and facilities."
        >
          {add}
        </EmptyState>
      }
    />
  )
}

function showBlock(row: OrganizationRow) {
  return <OrganizationBlock row={row} />
}
