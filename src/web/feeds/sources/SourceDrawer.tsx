import { type FeedSource, feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { query } from '#web/api/query.ts'
import { FormDrawer } from '#web/ui/form/FormDrawer.tsx'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { useFeedUpload } from '../runs/upload-feed.ts'
import { UploadButton } from '../runs/UploadButton.tsx'
import { UploadingFile } from '../runs/UploadingFile.tsx'
import { hasDeliveries } from './source-form.ts'
import { SourceDeliveries } from './SourceDeliveries.tsx'
import { SourceForm } from './SourceForm.tsx'
import { type SourcePart, SourceParts } from './SourceParts.tsx'
import '../runs/feeds.css'

type Props = {
  /** A source's ID, or `new`. */
  id: string
  part: SourcePart | undefined
  /** `isSaved`: there are no unsaved changes to confirm. */
  onClose: (isSaved: boolean) => void
  onCreated: (id: string) => void
}

/** One feed source, or the form for a new one. */
export function SourceDrawer({ id, part, onClose, onCreated }: Props) {
  const isNew = id === 'new'
  const upload = useFeedUpload()
  const load = useLoad({
    ...query(feedSources.get, { id }),
    enabled: !isNew,
    // The form must start with the current source, not a cached one.
    gcTime: 0,
  })
  const { data } = load
  const close = () => onClose(false)
  if (isNew) {
    return (
      <FormDrawer
        title="New feed source"
        about="Receives feeds regularly from a provider"
        size={640}
        onClose={close}
      >
        <SourceForm source={null} onClose={onClose} onCreated={onCreated} />
      </FormDrawer>
    )
  }
  return (
    <FormDrawer
      title={data?.name ?? 'Feed source'}
      about={data && describe(data)}
      size={640}
      onClose={close}
      tools={
        data?.isActive === true &&
        !data.isReadOnly && (
          <UploadButton isQuiet onFiles={(files) => upload.start({ files, sourceId: id })} />
        )
      }
    >
      <UploadingFile upload={upload} />
      <Loaded query={load} what="this feed source" shape="fields" label="Loading feed source">
        {(loaded) => (
          <>
            {hasDeliveries(loaded) && <SourceParts id={id} part={part} />}
            {part === 'deliveries' && hasDeliveries(loaded) && <SourceDeliveries source={loaded} />}
            {(part === undefined || !hasDeliveries(loaded)) && (
              <LoadedRecord key={loaded.id} record={loaded}>
                {(source, keep) => (
                  <SourceForm source={source} onKept={keep} onClose={onClose} onCreated={onCreated} />
                )}
              </LoadedRecord>
            )}
          </>
        )}
      </Loaded>
    </FormDrawer>
  )
}

function describe({ updatedAt, updatedBy }: FeedSource): string {
  return `Changed ${formatDay(updatedAt)}${updatedBy === null ? '' : ` by ${updatedBy}`}`
}
