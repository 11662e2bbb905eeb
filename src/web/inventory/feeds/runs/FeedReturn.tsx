import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import type { ProviderMapping } from '#contract/inventory/feeds/mappings/provider-mappings.ts'
import { query } from '#web/api/query.ts'
import { Action } from '#web/ui/controls/Action.tsx'
import { useReadAgain } from './read-again.ts'
import './feeds.css'

type Props = {
  /** The feed that led to the mapping; nothing where none did. */
  run: string | undefined
  /** Null while it is not saved. */
  mapping: ProviderMapping | null
}

/** The way back from a mapping to the feed that led there: its file is read again, by this mapping. */
export function FeedReturn({ run, mapping }: Props) {
  return run === undefined ? null : <Way id={run} mapping={mapping} />
}

function Way({ id, mapping }: { id: string; mapping: ProviderMapping | null }) {
  const navigate = useNavigate()
  const { data } = useQuery(query(feedRuns.get, { id }))
  const reading = useReadAgain(() => void navigate({ to: '/inventory/feeds/$id', params: { id } }))
  return (
    <div className="fc-feed-return">
      <p className="fc-grow">
        <bdi>
          {data === undefined ? 'This began with a feed. ' : `This began with ${data.fileName}. `}
          {mapping === null ? 'Save the mapping, then read the feed by it.' : ''}
        </bdi>{' '}
        <Link to="/inventory/feeds/$id" params={{ id }}>
          Back to the feed
        </Link>
      </p>
      {data?.canReadAgain === true && mapping !== null && (
        <Action
          for={feedRuns.readAgain}
          variant="default"
          loading={reading.isPending}
          onClick={() => reading.mutate({ id, mappingId: mapping.id })}
        >
          Read the feed by this mapping
        </Action>
      )}
    </div>
  )
}
