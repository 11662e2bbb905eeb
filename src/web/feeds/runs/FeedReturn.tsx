import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import type { ProviderMapping } from '#contract/feeds/mappings/provider-mappings.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { useReadAgain } from './read-again.ts'
import { Link } from '#web/ui/controls/Link.tsx'
import './feeds.css'

type Props = {
  /** The feed that the user came from, if any. */
  run: string | undefined
  /** Null until it is saved. */
  mapping: ProviderMapping | null
}

/** Leads from a mapping back to the feed the user came from, and reads its file again with this mapping. */
export function FeedReturn({ run, mapping }: Props) {
  return run === undefined ? null : <ReturnBar id={run} mapping={mapping} />
}

function ReturnBar({ id, mapping }: { id: string; mapping: ProviderMapping | null }) {
  const navigate = useNavigate()
  const { data } = useQuery(query(feedRuns.get, { id }))
  const reading = useReadAgain(() => void navigate({ to: '/inventory/feeds/$id', params: { id } }))
  return (
    <div className="fc-feed-return">
      <p className="fc-grow">
        <bdi>
          {data === undefined ? 'Started from a feed. ' : `Started from ${data.fileName}. `}
          {mapping === null ? 'Save the mapping, then use it to read the feed again.' : ''}
        </bdi>{' '}
        <Link to="/inventory/feeds/$id" params={{ id }}>
          Back to feed
        </Link>
      </p>
      {data?.canReadAgain === true && mapping !== null && (
        <Action
          for={feedRuns.readAgain}
          variant="default"
          loading={reading.isPending}
          onClick={() => reading.mutate({ id, mappingId: mapping.id })}
        >
          Read feed with this mapping
        </Action>
      )}
    </div>
  )
}
