import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { type Form, forms } from '#contract/marketing/forms/forms.ts'
import { keyOf, query, queryClient } from '#web/api/query.ts'
import { FailureState } from '#web/ui/feedback/FailureState.tsx'
import { Spinner } from '#web/ui/feedback/Spinner.tsx'
import { PageHeader } from '#web/ui/layout/PageHeader.tsx'
import { LoadedRecord } from '#web/ui/record/LoadedRecord.tsx'
import { FormEditor } from './FormEditor.tsx'
import { type Memory, NO_MEMORY } from './use-builder.ts'
import './builder.css'

const route = getRouteApi('/shell/dvp/forms/$id')

/** One form: its questions, settings and versions. */
export function FormPage() {
  const { id } = route.useParams()
  return <OpenForm key={id} id={id} />
}

function OpenForm({ id }: { id: string }) {
  // Kept outside the editor, because a save remounts it.
  const [memory, keepMemory] = useState<Memory>(NO_MEMORY)
  const { data, error, isPending, refetch } = useQuery({
    ...query(forms.get, { id }),
    // The editor must start with the current form, not a cached one.
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const versions = useQuery(query(forms.versions, { id }))
  if (data && !versions.isPending) {
    return (
      <LoadedRecord record={data}>
        {(form, keep) => (
          <FormEditor
            form={form}
            versions={versions}
            memory={{ memory, keep: keepMemory }}
            onKept={(kept: Form) => {
              queryClient.setQueryData([...keyOf(forms.get), { id }], kept)
              keep(kept)
            }}
          />
        )}
      </LoadedRecord>
    )
  }
  return (
    <div className="fc-list">
      <PageHeader title="Form" context="" />
      {error && (
        <FailureState failure={error} endpoint={forms.get} what="this form" onRetry={() => void refetch()} />
      )}
      {(isPending || !error) && <Spinner label="Loading the form" />}
    </div>
  )
}
