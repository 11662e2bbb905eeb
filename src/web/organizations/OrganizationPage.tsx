import { Button } from '@mantine/core'
import { IconChevronRight, IconPencil } from '@tabler/icons-react'
import { getRouteApi } from '@tanstack/react-router'
import { type OrganizationProfile, organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { organizations } from '#contract/organizations/organizations.ts'
import { useMutation } from '#web/api/mutation.ts'
import { query, send } from '#web/api/query.ts'
import { useHolds } from '#web/session/use-session.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { toast } from '#web/ui/feedback/toast.tsx'
import { Mark } from '#web/ui/layout/Mark.tsx'
import { count, formatDay } from '#web/ui/layout/date-format.ts'
import { ask, showError } from '#web/ui/overlay/dialogs.tsx'
import { askToRemove } from '#web/ui/record/ask-to-remove.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { RecordHeading } from '#web/ui/layout/PageHeader.tsx'
import { Members } from './members/Members.tsx'
import { OrganizationFacts } from './OrganizationFacts.tsx'
import { FacilitySection } from './facilities/FacilitySection.tsx'
import { STEP_GATE } from './wizard/organization-steps.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import './organization.css'

const route = getRouteApi('/shell/organizations/$id')
const removeOrganization = send(organizations.remove)
const archiveOrganization = send(organizations.archive)
const restoreOrganization = send(organizations.restore)

/** One organization: its facilities on a date, its profile, and its members. */
export function OrganizationPage() {
  const { id } = route.useParams()
  const search = route.useSearch()
  const load = useLoad(query(organizationProfiles.get, { id }))
  const { data } = load
  return (
    <div className="fc-organization-page">
      <Header organization={data ?? null} />
      <Loaded query={load} what="this organization" shape="spinner">
        {(loaded) => (
          <>
            {loaded.archivedAt !== null && (
              <Notice>
                {`Archived ${formatDay(loaded.archivedAt)} by ${loaded.archivedBy}. Buyers and participants see nothing of it, and no one can choose it or add to it until it is restored. Users with access to all organizations still see its records.`}
              </Notice>
            )}
            <FacilitySection organization={loaded} search={search} />
            <div className="fc-organization-more">
              <OrganizationFacts organization={loaded} />
              <Members organizationId={loaded.id} />
            </div>
          </>
        )}
      </Loaded>
    </div>
  )
}

function Header({ organization }: { organization: OrganizationProfile | null }) {
  const holds = useHolds()
  const name = organization?.name ?? 'Organization'
  return (
    <header className="fc-page-header">
      {organization && <Mark logo={organization.logo} name={name} size={40} />}
      <div className="fc-grow">
        <nav className="fc-crumbs" aria-label="Breadcrumb">
          <Link to="/organizations">Organizations</Link>
          <IconChevronRight size={13} className="fc-flip" aria-hidden="true" />
          <span className="fc-cut" aria-current="page">
            <bdi>{name}</bdi>
          </span>
        </nav>
        <RecordHeading name={name} />
        <p aria-live="polite">
          <bdi>{organization && describe(organization)}</bdi>
        </p>
      </div>
      {organization && <DeleteButton organization={organization} />}
      {organization && <ArchiveButton organization={organization} />}
      {organization && holds(STEP_GATE) === true && (
        <Button
          variant="default"
          leftSection={<IconPencil size={16} aria-hidden="true" />}
          renderRoot={(props) => (
            <Link to="/organizations/organization" search={{ organization: organization.id }} {...props} />
          )}
        >
          Set up
        </Button>
      )}
    </header>
  )
}

/** What is still in it, the server says: the page doesn't know all of it. */
function DeleteButton({ organization }: { organization: OrganizationProfile }) {
  const { name, facilities } = organization
  const navigate = route.useNavigate()
  const removal = useMutation({ mutationFn: removeOrganization })
  async function remove() {
    const done = await askToRemove({
      read: organizationProfiles.get,
      shown: organization,
      thing: 'this organization',
      question: {
        title: `Delete ${name}?`,
        text: "If nothing is left in it, it disappears from everyone's list of organizations. This can't be undone.",
        confirm: 'Delete organization',
      },
      run: ({ id, version }) => removal.mutateAsync({ id, version }),
      onRefused: (failure) => showError(failure, `${name} can't be deleted`),
    })
    if (done === null) return
    if (done !== 'gone') toast('Organization deleted', name)
    await navigate({ to: '/organizations' })
  }
  return (
    <Action
      for={organizations.remove}
      variant="subtle"
      className="fc-quiet-danger"
      lock={
        facilities === 0
          ? null
          : `${name} has ${count(facilities, 'facility', 'facilities')}. Delete or move everything in it first, or archive it.`
      }
      loading={removal.isPending}
      onClick={() => void remove()}
    >
      Delete
    </Action>
  )
}

function ArchiveButton({ organization }: { organization: OrganizationProfile }) {
  const { id, name, archivedAt } = organization
  const archiving = useMutation({
    mutationFn: archiveOrganization,
    onSuccess: () => toast('Organization archived', name),
    onError: (failure) => showError(failure, `${name} can't be archived`),
  })
  const restoring = useMutation({
    mutationFn: restoreOrganization,
    onSuccess: () => toast('Organization restored', name),
    onError: (failure) => showError(failure, `${name} can't be restored`),
  })
  async function archive() {
    const isSure = await ask({
      title: `Archive ${name}?`,
      text: 'Its vehicles leave your public site and channels at once, links of participants stop working, and it receives no leads or feeds. People who work only in it are signed out. Everything is kept, and you can restore it at any time.',
      confirm: 'Archive organization',
      isDestructive: true,
    })
    if (isSure) archiving.mutate({ id })
  }
  return archivedAt === null ? (
    <Action
      for={organizations.archive}
      variant="default"
      loading={archiving.isPending}
      onClick={() => void archive()}
    >
      Archive
    </Action>
  ) : (
    <Action
      for={organizations.restore}
      loading={restoring.isPending}
      onClick={() => restoring.mutate({ id })}
    >
      Restore
    </Action>
  )
}

function describe({ facilities, people, updatedAt, updatedBy }: OrganizationProfile): string {
  const figures = `${count(facilities, 'facility', 'facilities')}, ${count(people, 'person', 'people')}`
  return `${figures}. Changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}.`
}
