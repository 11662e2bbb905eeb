import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { MAX_MEMBERS, organizationProfiles } from '#contract/organizations/profile/profiles.ts'
import { query } from '#web/api/query.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { Status } from '#web/ui/controls/Status.tsx'

/** The people with access to an organization, with their user types. */
export function Members({ organizationId }: { organizationId: string }) {
  const { data, error, isPending, refetch } = useQuery(
    query(organizationProfiles.members, { id: organizationId }),
  )
  return (
    <section aria-label="People">
      <h2>People</h2>
      {isPending && <Spinner label="Loading the people" />}
      {error && (
        <p className="fc-row fc-small" role="alert">
          {error.message}
          <Button variant="default" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
      {data?.length === 0 && <p className="fc-small fc-faint">No one has access yet.</p>}
      <ul className="fc-lines">
        {data?.map(({ id, name, jobTitle, userTypeName, isActive }) => (
          <li key={id}>
            <span className="fc-grow">
              <bdi className="fc-name">{name}</bdi>
              <span className="fc-second">
                <bdi>{[userTypeName, jobTitle].filter(Boolean).join(' · ')}</bdi>
              </span>
            </span>
            {!isActive && (
              <Status tone="mute" mark="dash">
                Inactive
              </Status>
            )}
          </li>
        ))}
      </ul>
      {data?.length === MAX_MEMBERS && (
        <p className="fc-small fc-faint">
          <bdi>Showing the first {MAX_MEMBERS}.</bdi>
        </p>
      )}
    </section>
  )
}
