import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { providerMappings } from '#contract/feeds/mappings/provider-mappings.ts'
import { query } from '#web/api/query.ts'
import { Loaded, useLoad } from '#web/ui/record/Loaded.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { useRecordTitle } from '#web/ui/layout/use-record-title.ts'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { useSampleOf } from '../runs/feed-files.ts'
import { FeedReturn } from '../runs/FeedReturn.tsx'
import { MappingForm } from './MappingForm.tsx'
import { MappingTools } from './MappingTools.tsx'
import type { Sample } from './try-sample.ts'
import './provider-mappings.css'

// In one file: each file more is in the list that sign-in loads.
export { ProviderMappingsPage } from './ProviderMappingsPage.tsx'

const route = getRouteApi('/shell/administration/provider-mappings/$id')

type Props = {
  id: string
  /** The feed the user came from: its file is the sample and can be read again with this mapping. */
  run: string | undefined
  /** The sample file of that feed. */
  initial: File | null
  sample: Sample | null
  onSample: (sample: Sample) => void
  onCreated: (id: string) => void
}

/** One provider mapping with a sample of its feed, or a new one. */
export function MappingPage() {
  const { id } = route.useParams()
  const { run } = route.useSearch()
  // Kept outside the form, because the URL changes after adding.
  const [kept, setKept] = useState<{ of: string; sample: Sample } | null>(null)
  const { initial, isLoading } = useSampleOf(run)
  if (isLoading) return <Spinner label="Loading feed" />
  const given = {
    id,
    run,
    initial,
    sample: kept?.of === id ? kept.sample : null,
    onSample: (sample: Sample) => setKept({ of: id, sample }),
    onCreated: (of: string) => setKept((before) => before && { ...before, of }),
  }
  return id === 'new' ? <NewMapping {...given} /> : <OpenMapping key={id} {...given} />
}

function NewMapping({ id: _new, ...given }: Props) {
  return (
    <div className="fc-list fc-mapping-page">
      <NewHeader />
      <FeedReturn run={given.run} mapping={null} />
      <MappingForm mapping={null} {...given} />
    </div>
  )
}

const NewHeader = () => (
  <PageHeader title="New provider mapping" context="Upload a sample and we'll match most columns." />
)

function OpenMapping({ id, ...given }: Props) {
  const [generation, setGeneration] = useState(0)
  const load = useLoad({
    ...query(providerMappings.get, { id }),
    // The form must start with the current mapping, not a cached one.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const [isAgain, setAgain] = useState(false)
  const { data } = load
  useRecordTitle(isAgain || data === undefined ? 'Provider mapping' : data.name)
  const by = data?.updatedBy == null ? '' : ` by ${data.updatedBy}`
  return (
    <div className="fc-list fc-mapping-page">
      {isAgain ? (
        <NewHeader />
      ) : (
        <PageHeader
          title={data?.name ?? 'Provider mapping'}
          context={data ? `Version ${data.version}, changed ${formatDay(data.updatedAt)}${by}.` : ''}
        >
          {data && <MappingTools mapping={data} onRestored={() => setGeneration(generation + 1)} />}
        </PageHeader>
      )}
      <Loaded query={load} what="this provider mapping" shape="spinner" label="Loading provider mapping">
        {(loaded) => (
          <>
            <FeedReturn run={given.run} mapping={loaded} />
            <LoadedRecord key={generation} record={loaded}>
              {(mapping, keep) => (
                <MappingForm mapping={mapping} onKept={keep} onAgain={() => setAgain(true)} {...given} />
              )}
            </LoadedRecord>
          </>
        )}
      </Loaded>
    </div>
  )
}
