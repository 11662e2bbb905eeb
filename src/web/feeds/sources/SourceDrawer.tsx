import { getRouteApi } from '@tanstack/react-router'
import { CUSTOMER_MANAGED, feedSources } from '#contract/feeds/sources/feed-sources.ts'
import { send } from '#web/api/query.ts'
import { Notice } from '#web/ui/feedback/Notice.tsx'
import { RecordDrawer, type RecordDrawerProps } from '#web/ui/record/RecordDrawer.tsx'
import { useFeedUpload } from '../runs/upload-feed.ts'
import { UploadButton } from '../runs/UploadButton.tsx'
import { UploadingFile } from '../runs/UploadingFile.tsx'
import { hasDeliveries, showField, sourceForm } from './source-form.ts'
import { SourceAddress } from './SourceAddress.tsx'
import { SourceDeliveries } from './SourceDeliveries.tsx'
import { SourceFields } from './SourceFields.tsx'
import { SourceParts } from './SourceParts.tsx'
import '../runs/feeds.css'

const route = getRouteApi('/shell/inventory/feeds/sources')
const addSource = send(feedSources.add)
const updateSource = send(feedSources.update)

const lockOf = ({ isReadOnly }: { isReadOnly: boolean }) => (isReadOnly ? CUSTOMER_MANAGED : null)

/** One feed source, or the form for a new one. */
export function SourceDrawer(props: RecordDrawerProps) {
  const { part } = route.useSearch()
  const upload = useFeedUpload()
  return (
    <RecordDrawer
      {...props}
      noun="feed source"
      about="Receives feeds regularly from a provider"
      size={640}
      form={sourceForm}
      endpoints={feedSources}
      save={(input, change) => (change ? updateSource({ ...input, ...change }) : addSource(input))}
      remove={{
        endpoint: feedSources.remove,
        text: "Its feeds and vehicles stay. Its password and upload URL are deleted, and its vehicles no longer count as missing when a feed doesn't list them. This can't be undone.",
        label: 'Delete feed source',
      }}
      nameOf={({ name }) => ({ name })}
      lockOf={lockOf}
      show={showField}
      renderTools={({ id, isActive, isReadOnly }) =>
        isActive &&
        !isReadOnly && <UploadButton isQuiet onFiles={(files) => upload.start({ files, sourceId: id })} />
      }
      renderAround={(source, form) => (
        <>
          <UploadingFile upload={upload} />
          {source && hasDeliveries(source) && <SourceParts id={source.id} part={part} />}
          {source && part === 'deliveries' && hasDeliveries(source) ? (
            <SourceDeliveries source={source} />
          ) : (
            form
          )}
        </>
      )}
    >
      {(record, source) => {
        const lock = source && lockOf(source)
        return (
          <>
            {lock !== null && <Notice>{lock}</Notice>}
            <SourceFields record={record} source={source} />
            {source && (
              <SourceAddress
                source={source}
                lock={lock ?? (record.changed.length > 0 ? 'Save your changes first.' : null)}
                onKept={record.keep}
              />
            )}
          </>
        )
      }}
    </RecordDrawer>
  )
}
