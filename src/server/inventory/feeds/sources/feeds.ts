import type { Kysely } from 'kysely'
import type { feedRuns } from '#contract/inventory/feeds/runs/feed-runs.ts'
import type { feedSources, inboundFeeds } from '#contract/inventory/feeds/sources/feed-sources.ts'
import type { DB } from '#server/database/schema.ts'
import type { Handlers } from '#server/http/serve.ts'
import type { Secrets } from '#server/secrets.ts'
import { feedRunHandlers } from '../runs/feed-runs.ts'
import { inboundFeedHandlers } from './inbound.ts'
import { makeFeedFetcher } from './source-worker.ts'
import { feedSourceHandlers } from './sources.ts'
import type { TakeInParts } from './ingest-feed.ts'

/** What is counted, so that nobody sends or tries without end. */
export type FeedCounted = 'files sent to a feed source' | 'connections tried by a customer'

type Parts = TakeInParts & {
  queue: Kysely<DB>
  secrets: Secrets
  /** Customers may name servers on private networks, too: `FORECOURT_PRIVATE_ADDRESSES`. */
  allowsPrivate: boolean
  /** Called when a source became due. */
  onDue: (() => void) | undefined
  /** How often it was within the hour, and the seconds until that ends. */
  count: (what: FeedCounted, key: string) => Promise<{ count: number; seconds: number }>
  onError: (error: unknown) => void
}

/** Everything by which feeds come: brought by people, fetched when they are due, pushed, or attached to a mail. */
export function makeFeeds({ onDue = () => {}, count, ...parts }: Parts): {
  handlers: {
    feedSources: Handlers<typeof feedSources>
    inboundFeeds: Handlers<typeof inboundFeeds>
    feedRuns: Handlers<typeof feedRuns>
  }
  workDue: () => Promise<void>
} {
  const { secrets, allowsPrivate } = parts
  const countTest = (customerId: string) => count('connections tried by a customer', customerId)
  return {
    handlers: {
      feedSources: feedSourceHandlers({ secrets, allowsPrivate, onDue, countTest }),
      inboundFeeds: inboundFeedHandlers({
        ...parts,
        count: (key) => count('files sent to a feed source', key),
      }),
      feedRuns: feedRunHandlers(parts),
    },
    ...makeFeedFetcher(parts),
  }
}
