import type { Kysely } from 'kysely'
import type { feedRuns } from '#contract/feeds/runs/feed-runs.ts'
import type { feedSources, inboundFeeds } from '#contract/feeds/sources/feed-sources.ts'
import type { Outside } from '#server/database/outside-transaction.ts'
import type { DB } from '#server/database/schema.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { OutsideStorage } from '#server/outside/open-transaction.ts'
import type { Secrets } from '#server/secrets.ts'
import { feedRunHandlers } from '../runs/feed-runs.ts'
import { inboundFeedHandlers, makeMailThread } from './inbound.ts'
import { makeFeedFetcher } from './source-worker.ts'
import { feedSourceHandlers } from './sources.ts'
import type { IngestOptions } from './ingest-feed.ts'

/** Rate limits. */
export type FeedLimit = 'files sent to a feed source' | 'connections tried by a customer'

type Parts = Omit<IngestOptions, 'storage'> & {
  storage: OutsideStorage
  /** For the fetcher, which runs in the background. */
  background: Outside
  queue: Kysely<DB>
  secrets: Secrets
  /** Customers can use servers on private networks: `FORECOURT_PRIVATE_ADDRESSES`. */
  allowsPrivate: boolean
  /** Called when a source becomes due. */
  onDue: (() => void) | undefined
  /** Counts an event: the number within the current hour, and the seconds until the hour ends. */
  count: (limit: FeedLimit, key: string) => Promise<{ count: number; seconds: number }>
  onError: (error: unknown) => void
}

/** Everything that receives feeds: uploads, scheduled fetches, API pushes and email attachments. */
export function makeFeeds({ onDue = () => {}, count, background, ...parts }: Parts): {
  handlers: {
    feedSources: Handlers<typeof feedSources>
    inboundFeeds: Handlers<typeof inboundFeeds>
    feedRuns: Handlers<typeof feedRuns>
  }
  workDue: () => Promise<void>
  /** Ends after what is being fetched. */
  stopFetching: () => Promise<void>
  /** Ends the thread that reads emails. */
  stop: () => Promise<void>
} {
  const mailThread = makeMailThread()
  const fetcher = makeFeedFetcher({ ...parts, storage: parts.storage(background) })
  const { secrets, allowsPrivate } = parts
  const countTest = (customerId: string) => count('connections tried by a customer', customerId)
  return {
    handlers: {
      feedSources: feedSourceHandlers({ secrets, allowsPrivate, onDue, countTest }),
      inboundFeeds: inboundFeedHandlers({
        ...parts,
        count: (key) => count('files sent to a feed source', key),
        mailThread,
      }),
      feedRuns: feedRunHandlers(parts),
    },
    workDue: fetcher.workDue,
    stopFetching: fetcher.stop,
    stop: mailThread.stop,
  }
}
