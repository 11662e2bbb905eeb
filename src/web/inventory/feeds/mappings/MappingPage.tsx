import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { providerMappings } from '#contract/inventory/feeds/mappings/provider-mappings.ts'
import { query } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { LoadedRecord } from '#web/ui/record/KeptRecord.tsx'
import { formatDay } from '#web/ui/layout/date-format.ts'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { useSampleOf } from '../runs/feed-files.ts'
import { FeedReturn } from '../runs/FeedReturn.tsx'
import { MappingForm } from './MappingForm.tsx'
import { MappingTools } from './MappingTools.tsx'
import type { Sample } from './try-sample.ts'
import './provider-mappings.css'

const route = getRouteApi('/shell/administration/provider-mappings/$id')

type Props = {
  id: string
  /** The feed that led here: its file is the sample, and is brought again by the mapping. */
  run: string | undefined
  /** The sample to begin with: of that feed. */
  begin: File | null
  sample: Sample | null
  onSample: (sample: Sample) => void
  onCreated: (id: string) => void
}

/** One provider mapping beside a sample of its feed; or the blank one of a new provider. */
export function MappingPage() {
  const { id } = route.useParams()
  const { run } = route.useSearch()
  // It outlives the form: saving begins that anew, and adding goes to another address.
  const [kept, setKept] = useState<{ of: string; sample: Sample } | null>(null)
  const { begin, isComing } = useSampleOf(run)
  if (isComing) return <Spinner label="Loading the feed" />
  const given = {
    id,
    run,
    begin,
    sample: kept?.of === id ? kept.sample : null,
    onSample: (sample: Sample) => setKept({ of: id, sample }),
    onCreated: (of: string) => setKept((before) => before && { ...before, of }),
  }
  return id === 'new' ? <NewMapping {...given} /> : <OpenMapping key={id} {...given} />
}

function NewMapping({ id: _new, ...given }: Props) {
  return (
    <div className="fc-list fc-mapping-page">
      <PageHeader
        title="New provider mapping"
        context="Drop a sample of the feed: most columns are found by themselves."
      />
      <FeedReturn run={given.run} mapping={null} />
      <MappingForm mapping={null} {...given} />
    </div>
  )
}

function OpenMapping({ id, ...given }: Props) {
  const [generation, setGeneration] = useState(0)
  const { data, error, isPending, refetch } = useQuery({
    ...query(providerMappings.get, { id }),
    // The form begins with the mapping as it is, not as it was when the page was last open.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const by = data?.updatedBy == null ? '' : ` by ${data.updatedBy}`
  return (
    <div className="fc-list fc-mapping-page">
      <PageHeader
        title={data?.name ?? 'Provider mapping'}
        context={data ? `Version ${data.version}, changed ${formatDay(data.updatedAt)}${by}.` : ''}
      >
        {data && <MappingTools mapping={data} onRestored={() => setGeneration(generation + 1)} />}
      </PageHeader>
      {error && !data && (
        <FailureState
          failure={error}
          endpoint={providerMappings.get}
          what="this provider mapping"
          onRetry={() => void refetch()}
        />
      )}
      {isPending && <Spinner label="Loading the provider mapping" />}
      {data && <FeedReturn run={given.run} mapping={data} />}
      {data && (
        <LoadedRecord key={generation} record={data}>
          {(mapping, keep) => <MappingForm mapping={mapping} onKept={keep} {...given} />}
        </LoadedRecord>
      )}
    </div>
  )
}
