import { Link } from '@tanstack/react-router'
import { feedRuns } from '#contract/inventory/feed-runs.ts'
import type { ProviderMapping } from '#contract/inventory/provider-mappings.ts'
import { Action } from '#web/ui/Action.tsx'
import { useBringFeed } from './bring-feed.ts'
import { BringingFile } from './BringingFile.tsx'
import { fileOf } from './feed-files.ts'
import './feeds.css'

type Props = {
  /** The feed that led to the mapping; nothing where none did. */
  run: string | undefined
  /** Null while it is not saved. */
  mapping: ProviderMapping | null
}

/** The way back from a mapping to the feed that led there: its file is read again, by this mapping. */
export function FeedReturn({ run, mapping }: Props) {
  const bringing = useBringFeed()
  if (run === undefined) return null
  const file = fileOf(run)
  return (
    <>
      <BringingFile bringing={bringing} />
      <div className="fc-feed-return">
        <p className="fc-grow">
          <bdi>
            {file === null ? 'This began with a feed. ' : `This began with ${file.name}. `}
            {mapping === null ? 'Save the mapping, then read the feed by it.' : ''}
          </bdi>{' '}
          <Link to="/inventory/feeds/$id" params={{ id: run }}>
            Back to the feed
          </Link>
        </p>
        {file !== null && mapping !== null && (
          <Action
            for={feedRuns.add}
            variant="default"
            loading={bringing.file !== null}
            onClick={() => bringing.bring({ file, mappingId: mapping.id })}
          >
            Read the feed by this mapping
          </Action>
        )}
      </div>
    </>
  )
}
